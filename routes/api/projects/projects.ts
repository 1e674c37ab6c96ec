import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { ProjectId, Ref } from '../../../schemas/fields.ts'
import { Project, ProjectInput, ProjectList, ProjectPatch } from '../../../schemas/project.ts'
import { getAccountId, sessionAccess } from '../../callers.ts'
import { jsonResponse } from '../../list-response.ts'

const tags = ['Projects']
const params = Type.Object({ projectId: ProjectId() })

/**
 * Projects and the settings of their websites. A project is created by the first write that names
 * it.
 */
const routes: FastifyPluginAsyncTypebox = async (app) => {
  const { projects } = app.services

  app.get(
    '/',
    {
      config: { access: sessionAccess, large: 'list', errors: ['busy'] },
      schema: {
        operationId: 'listProjects',
        summary: 'List projects',
        tags,
        response: { 200: Ref(ProjectList, { description: 'The projects, ordered by id' }) }
      }
    },
    async (request, reply) => await jsonResponse(reply, { projects: await projects.list(getAccountId(request)) })
  )

  app.post(
    '/',
    {
      config: {
        access: sessionAccess,
        errors: ['project_exists'],
        audit: { action: 'project.created', target: { type: 'project' }, shows: ['optimize'] }
      },
      schema: {
        operationId: 'createProject',
        summary: 'Create a project',
        tags,
        body: Ref(ProjectInput),
        response: { 201: Ref(Project, { description: 'The project' }) }
      }
    },
    async (request, reply) => await reply.code(201).send(await projects.create(getAccountId(request), request.body))
  )

  app.patch(
    '/:projectId',
    {
      config: {
        access: sessionAccess,
        errors: ['project_not_found'],
        audit: { action: 'project.updated', target: { type: 'project' }, shows: ['optimize'] }
      },
      schema: {
        operationId: 'updateProject',
        summary: 'Update a project',
        description: 'Links in feeds, the sitemap and JSON-LD change immediately.',
        tags,
        params,
        body: Ref(ProjectPatch),
        response: { 200: Ref(Project, { description: 'The updated project' }) }
      }
    },
    async (request) => await projects.update(getAccountId(request), request.params.projectId, request.body)
  )

  app.delete(
    '/:projectId',
    {
      config: {
        access: sessionAccess,
        errors: ['project_not_found', 'project_not_empty'],
        audit: { action: 'project.deleted', target: { type: 'project' } }
      },
      schema: {
        operationId: 'deleteProject',
        summary: 'Delete an empty project',
        tags,
        params,
        response: { 204: Type.Null({ description: 'Deleted' }) }
      }
    },
    async (request, reply) => {
      reply.audited = await projects.remove(getAccountId(request), request.params.projectId)
      return await reply.code(204).send(null)
    }
  )
}
export default routes
