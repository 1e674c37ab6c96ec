import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { Locale, ProjectId, Url } from '../../../../schemas/fields.ts'
import { keyAccess, getReader } from '../../../callers.ts'

const tags = ['Feeds']
const config = {
  access: keyAccess('blogs:read', 'blogs'),
  cache: true,
  large: 'list' as const,
  errors: ['project_not_allowed', 'project_not_found', 'not_found', 'busy'] as const
}
const projectId = Type.Optional(ProjectId({ description: 'Required if the account has more than one project' }))
const selfUrl = (file: string) =>
  Type.Optional(
    Url({ description: `The URL at which the website serves the file. Default: \`${file}\` below the blog list` })
  )
const feedQuery = (file: string) =>
  Type.Object(
    {
      projectId,
      category: Type.Optional(
        Type.String({ minLength: 1, maxLength: 100, description: 'Only blogs of this category' })
      ),
      locale: Type.Optional(Locale({ description: 'Only blogs of this locale' })),
      selfUrl: selfUrl(file)
    },
    { additionalProperties: false }
  )
const description =
  'Returns the newest 50 published blogs with their full text and an image. ' +
  "Links are built from the project's `siteUrl` and `blogPath`. " +
  'The feed has at most 2 million characters of content, and is made of at most 8 million characters of sources; ' +
  'blogs beyond it have a description only.'

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
        querystring: feedQuery('feed.xml'),
        produces: ['application/rss+xml'],
        response: { 200: Type.String({ description: 'The feed' }) }
      }
    },
    async (request, reply) => {
      reply.type('application/rss+xml; charset=utf-8')
      // Bytes are sent as they are.
      return (await feeds.rss(getReader(request), request.query)) as never
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
        querystring: feedQuery('feed.json'),
        produces: ['application/feed+json'],
        response: { 200: Type.Object({}, { additionalProperties: true, description: 'The feed' }) }
      }
    },
    async (request, reply) => {
      reply.type('application/feed+json; charset=utf-8')
      return await feeds.jsonFeed(getReader(request), request.query)
    }
  )

  app.get(
    '/sitemap.xml',
    {
      config,
      schema: {
        operationId: 'getSitemap',
        summary: 'Retrieve the sitemap',
        description:
          'Lists published blogs with their images and translations (`hreflang`). ' +
          "Links are built from the project's `siteUrl` and `blogPath`. " +
          'With more than 50,000 blogs, the response is a sitemap index: ' +
          'serve the URLs that it names, which are `selfUrl` with the parameter `page`.',
        tags,
        querystring: Type.Object(
          {
            projectId,
            page: Type.Optional(
              Type.Integer({ minimum: 1, maximum: 50_000, description: 'The part of a sitemap index, from 1' })
            ),
            selfUrl: selfUrl('sitemap.xml')
          },
          { additionalProperties: false }
        ),
        produces: ['application/xml'],
        response: { 200: Type.String({ description: 'The sitemap' }) }
      }
    },
    async (request, reply) => {
      reply.type('application/xml; charset=utf-8')
      // Bytes are sent as they are.
      return (await feeds.sitemap(getReader(request), request.query)) as never
    }
  )
}
export default routes
