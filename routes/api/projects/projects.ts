import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { ProjectId, Ref } from '../../../schemas/fields.ts'
import { Project, ProjectInput, ProjectList, ProjectPatch } from '../../../schemas/project.ts'
import { accountOf, sessionAccess } from '../../callers.ts'

const tags = ['Projects']
const params = Type.Object({ projectId: ProjectId() })

/**
 * Projects and what is told about their website. They come into being by themselves with the first
 * write that names them.
 */
const routes: FastifyPluginAsyncTypebox = async (app) => {
  const { projects } = app.services

  app.get(
    '/',
    {
      config: { access: sessionAccess },
      schema: {
        operationId: 'listProjects',
        summary: 'List the projects',
        tags,
        response: { 200: Ref(ProjectList, { description: 'The projects, by id' }) }
      }
    },
    async (request) => ({ projects: await projects.list(accountOf(request)) })
  )

  app.post(
    '/',
    {
      config: { access: sessionAccess, errors: ['project_exists'] },
      schema: {
        operationId: 'createProject',
        summary: 'Create a project',
        tags,
        body: Ref(ProjectInput),
        response: { 201: Ref(Project, { description: 'The project' }) }
      }
    },
    async (request, reply) => await reply.code(201).send(await projects.create(accountOf(request), request.body))
  )

  app.patch(
    '/:projectId',
    {
      config: { access: sessionAccess, errors: ['project_not_found'] },
      schema: {
        operationId: 'updateProject',
        summary: 'Change a project',
        description: 'Links in feeds, sitemap and JSON-LD follow at once.',
        tags,
        params,
        body: Ref(ProjectPatch),
        response: { 200: Ref(Project, { description: 'The project as it is now' }) }
      }
    },
    async (request) => await projects.update(accountOf(request), request.params.projectId, request.body)
  )

  app.delete(
    '/:projectId',
    {
      config: { access: sessionAccess, errors: ['project_not_found', 'project_not_empty'] },
      schema: {
        operationId: 'deleteProject',
        summary: 'Delete an empty project',
        tags,
        params,
        response: { 204: Type.Null({ description: 'It is deleted' }) }
      }
    },
    async (request, reply) => {
      await projects.remove(accountOf(request), request.params.projectId)
      return await reply.code(204).send(null)
    }
  )
}
export default routes
