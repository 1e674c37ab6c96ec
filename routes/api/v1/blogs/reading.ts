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
import { pageLinks } from '../../../page-links.ts'
import { keyAccess, readerOf } from '../../../callers.ts'

const tags = ['Blogs']
const read = { access: keyAccess('blogs:read', 'blogs'), cache: true }
const Slug = Type.Object({ slug: Type.String({ minLength: 1, maxLength: 300 }) })

/** What customers' websites read. */
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
          'Published blogs, the newest first. With `include=content` a whole site is built from a few requests; with `updatedSince` it is brought up to date by one.',
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
        throw problem('scope_missing', `status=${status} shows what is not public, and needs the scope blogs:write.`, {
          members: { scope: 'blogs:write' }
        })
      }
      const list = await blogs.list(readerOf(request), request.query)
      reply.header('link', pageLinks(request.url, list))
      return list
    }
  )

  app.get(
    '/categories',
    {
      config: { ...read, errors: ['project_not_allowed'] },
      schema: {
        operationId: 'listBlogCategories',
        summary: 'Count blogs by category',
        description: 'Published blogs only, the largest category first. Blogs without a category are not listed.',
        tags,
        querystring: Type.Object(
          { projectId: Type.Optional(ProjectId()), locale: Type.Optional(Locale()) },
          { additionalProperties: false }
        ),
        response: { 200: Type.Array(Ref(CategoryCount), { description: 'The categories' }) }
      }
    },
    async (request) => await blogs.categories(readerOf(request), request.query)
  )

  app.get(
    '/redirects',
    {
      config: { ...read, errors: ['project_not_allowed'] },
      schema: {
        operationId: 'listBlogRedirects',
        summary: 'List the redirects of old slugs',
        description:
          'Every slug that a published blog had before, and the one it has now: for the redirects of a static site.',
        tags,
        querystring: Type.Object({ projectId: Type.Optional(ProjectId()) }, { additionalProperties: false }),
        response: { 200: Type.Array(Ref(BlogRedirect), { description: 'The redirects' }) }
      }
    },
    async (request) => await blogs.redirects(readerOf(request), request.query)
  )

  app.get(
    '/:slug',
    {
      config: { ...read, errors: ['blog_not_found', 'blog_gone'] },
      schema: {
        operationId: 'getBlog',
        summary: 'Read a blog by its slug',
        description:
          'A published blog, ready to be embedded. A slug that the blog had before answers 308 with the address of the present one.',
        tags,
        params: Slug,
        response: {
          200: Ref(Blog, { description: 'The blog' }),
          308: Type.Object(
            { code: Type.Literal('slug_moved'), slug: Type.String() },
            { description: 'The blog has another slug now', headers: { Location: { type: 'string' } } }
          )
        }
      }
    },
    async (request, reply) => {
      const found = await blogs.getBySlug(readerOf(request), request.params.slug)
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
        summary: 'List blogs related to a blog',
        description:
          'The nearest published blogs by their text, tags and category; filled up with the newest, so that there are always as many as there can be.',
        tags,
        params: Slug,
        querystring: Type.Object(
          { limit: Type.Integer({ minimum: 1, maximum: 12, default: 3 }) },
          { additionalProperties: false }
        ),
        response: {
          200: Type.Array(Ref(BlogSummary), { description: 'The related blogs, the nearest first' }),
          308: Type.Object(
            { code: Type.Literal('slug_moved'), slug: Type.String() },
            { description: 'The blog has another slug now', headers: { Location: { type: 'string' } } }
          )
        }
      }
    },
    async (request, reply) => {
      const found = await blogs.related(readerOf(request), request.params.slug, request.query.limit)
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
        summary: 'Read a blog in any state',
        description: 'With its status and the source that was sent. The ETag goes into If-Match of a change.',
        tags: ['Writing blogs'],
        params: Type.Object({ blogId: Id() }),
        response: { 200: Ref(BlogDraft, { description: 'The blog' }) }
      }
    },
    async (request, reply) => {
      const blog = await blogs.toDraftResponse(await blogs.get(readerOf(request), request.params.blogId))
      reply.version = blog.version
      reply.header('last-modified', new Date(blog.updatedAt).toUTCString())
      return blog
    }
  )
}
export default routes
