import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { ProjectId } from '../../../../schemas/fields.ts'
import { keyAccess, getReader } from '../../../callers.ts'

const tags = ['Feeds']
const config = {
  access: keyAccess('blogs:read', 'blogs'),
  cache: true,
  errors: ['project_not_allowed', 'project_not_found'] as const
}
const querystring = Type.Object(
  { projectId: Type.Optional(ProjectId({ description: 'Required if the account has more than one project' })) },
  { additionalProperties: false }
)
const description = "Links are built from the project's `siteUrl` and `blogPath`."

/** Feeds and a sitemap that the customer's website serves unchanged. */
const routes: FastifyPluginAsyncTypebox = async (app) => {
  const { feeds } = app.services.blogs

  app.get(
    '/feed.xml',
    {
      config,
      schema: {
        operationId: 'getRssFeed',
        summary: 'Retrieve the RSS feed',
        description,
        tags,
        querystring,
        produces: ['application/rss+xml'],
        response: { 200: Type.String({ description: 'The feed' }) }
      }
    },
    async (request, reply) => {
      reply.type('application/rss+xml; charset=utf-8')
      return await feeds.rss(getReader(request), request.query.projectId)
    }
  )

  app.get(
    '/feed.json',
    {
      config,
      schema: {
        operationId: 'getJsonFeed',
        summary: 'Retrieve the JSON feed',
        description,
        tags,
        querystring,
        produces: ['application/feed+json'],
        response: { 200: Type.Object({}, { additionalProperties: true, description: 'The feed' }) }
      }
    },
    async (request, reply) => {
      reply.type('application/feed+json; charset=utf-8')
      return await feeds.jsonFeed(getReader(request), request.query.projectId)
    }
  )

  app.get(
    '/sitemap.xml',
    {
      config,
      schema: {
        operationId: 'getSitemap',
        summary: 'Retrieve the sitemap',
        description,
        tags,
        querystring,
        produces: ['application/xml'],
        response: { 200: Type.String({ description: 'The sitemap' }) }
      }
    },
    async (request, reply) => {
      reply.type('application/xml; charset=utf-8')
      return await feeds.sitemap(getReader(request), request.query.projectId)
    }
  )
}
export default routes
