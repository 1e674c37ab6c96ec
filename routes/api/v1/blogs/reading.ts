import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { problem } from '../../../../errors.ts'
import {
  Blog,
  BlogDraft,
  BlogList,
  BlogListQuery,
  BlogRedirect,
  BlogSummary,
  CategoryCount
} from '../../../../schemas/blog.ts'
import { Id, Locale, ProjectId, Ref } from '../../../../schemas/fields.ts'
import { pageLinks } from '../../../../lib/http/page-links.ts'
import { keyAccess, getReader } from '../../../callers.ts'
import { jsonResponse, listResponse } from '../../../list-response.ts'

const tags = ['Blogs']
const read = { access: keyAccess('blogs:read', 'blogs'), cache: true }
const Slug = Type.Object({ slug: Type.String({ minLength: 1, maxLength: 300 }) })

/** Published blogs, for customers' websites. */
const routes: FastifyPluginAsyncTypebox = async (app) => {
  const { blogs } = app.services

  app.get(
    '/',
    {
      config: { ...read, errors: ['project_not_allowed'] },
      schema: {
        operationId: 'listBlogs',
        summary: 'List blogs',
        description:
          'Returns published blogs, newest first. ' +
          'Use `include=content` to build a whole site from a few requests, and `updatedSince` to fetch changes.',
        tags,
        querystring: BlogListQuery,
        response: { 200: Ref(BlogList, { description: 'A page of blogs' }) }
      }
    },
    async (request, reply) => {
      const { status } = request.query
      if (status !== undefined) reply.noCache = true
      if (
        status !== undefined &&
        status !== 'published' &&
        !(request.caller.kind === 'key' && request.caller.scopes.includes('blogs:write'))
      ) {
        throw problem('scope_missing', `status=${status} requires the scope blogs:write.`, {
          members: { scope: 'blogs:write' }
        })
      }
      const list = await blogs.list(getReader(request), request.query)
      reply.header('link', pageLinks(request.url, list))
      return await listResponse(reply, list)
    }
  )

  app.get(
    '/categories',
    {
      config: { ...read, errors: ['project_not_allowed'] },
      schema: {
        operationId: 'listBlogCategories',
        summary: 'Count blogs by category',
        description: 'Counts published blogs, the largest category first. Blogs without a category are not counted.',
        tags,
        querystring: Type.Object(
          { projectId: Type.Optional(ProjectId()), locale: Type.Optional(Locale()) },
          { additionalProperties: false }
        ),
        response: { 200: Type.Array(Ref(CategoryCount), { description: 'The categories' }) }
      }
    },
    async (request) => await blogs.categories(getReader(request), request.query)
  )

  app.get(
    '/redirects',
    {
      config: { ...read, errors: ['project_not_allowed'] },
      schema: {
        operationId: 'listBlogRedirects',
        summary: 'List the redirects of old slugs',
        description:
          'Returns the former slugs of published blogs with their current slugs, for the redirects of static sites.',
        tags,
        querystring: Type.Object({ projectId: Type.Optional(ProjectId()) }, { additionalProperties: false }),
        response: { 200: Type.Array(Ref(BlogRedirect), { description: 'The redirects' }) }
      }
    },
    async (request, reply) => await jsonResponse(reply, await blogs.redirects(getReader(request), request.query))
  )

  app.get(
    '/:slug',
    {
      config: { ...read, errors: ['blog_not_found', 'blog_gone'] },
      schema: {
        operationId: 'getBlog',
        summary: 'Retrieve a blog by slug',
        description:
          'Returns a published blog with its HTML, CSS and JSON-LD. ' +
          'A former slug responds with 308 and the URL of the current slug.',
        tags,
        params: Slug,
        response: {
          200: Ref(Blog, { description: 'The blog' }),
          308: Type.Object(
            { code: Type.Literal('slug_moved'), slug: Type.String() },
            { description: 'The blog has a new slug', headers: { Location: { type: 'string' } } }
          )
        }
      }
    },
    async (request, reply) => {
      const found = await blogs.getBySlug(getReader(request), request.params.slug)
      if (found.kind === 'moved') {
        return await reply
          .code(308)
          .header('location', `/api/v1/blogs/${found.slug}`)
          .send({ code: 'slug_moved', slug: found.slug })
      }
      reply.version = found.blog.version
      reply.header('last-modified', new Date(found.modifiedAt).toUTCString())
      return found.blog
    }
  )

  app.get(
    '/:slug/related',
    {
      config: { ...read, errors: ['blog_not_found', 'blog_gone'] },
      schema: {
        operationId: 'listRelatedBlogs',
        summary: 'List related blogs',
        description:
          'Returns the most similar published blogs by text, tags and category. ' +
          'If there are too few, the newest blogs complete the list.',
        tags,
        params: Slug,
        querystring: Type.Object(
          { limit: Type.Integer({ minimum: 1, maximum: 12, default: 3 }) },
          { additionalProperties: false }
        ),
        response: {
          200: Type.Array(Ref(BlogSummary), { description: 'The related blogs, most similar first' }),
          308: Type.Object(
            { code: Type.Literal('slug_moved'), slug: Type.String() },
            { description: 'The blog has a new slug', headers: { Location: { type: 'string' } } }
          )
        }
      }
    },
    async (request, reply) => {
      const found = await blogs.related(getReader(request), request.params.slug, request.query.limit)
      if (Array.isArray(found)) return found
      const query = request.url.includes('?') ? request.url.slice(request.url.indexOf('?')) : ''
      return await reply
        .code(308)
        .header('location', `/api/v1/blogs/${found.moved}/related${query}`)
        .send({ code: 'slug_moved', slug: found.moved })
    }
  )

  app.get(
    '/by-id/:blogId',
    {
      config: { access: keyAccess('blogs:write', 'blogs'), errors: ['blog_not_found', 'blog_gone'] },
      schema: {
        operationId: 'getBlogById',
        summary: 'Retrieve a blog by id',
        description:
          'Returns a blog in any state, with its status and its source. Send the ETag in If-Match to change the blog.',
        tags: ['Writing blogs'],
        params: Type.Object({ blogId: Id() }),
        response: { 200: Ref(BlogDraft, { description: 'The blog' }) }
      }
    },
    async (request, reply) => {
      const blog = await blogs.toDraftResponse(await blogs.get(getReader(request), request.params.blogId))
      reply.version = blog.version
      reply.header('last-modified', new Date(blog.updatedAt).toUTCString())
      return blog
    }
  )
}
export default routes
