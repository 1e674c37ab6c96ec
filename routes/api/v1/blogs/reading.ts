import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import type { FastifyReply } from 'fastify'
import { problem } from '../../../../errors.ts'
import {
  AuthorCount,
  Blog,
  BlogDraft,
  BlogList,
  BlogListItem,
  BlogListQuery,
  BlogRedirect,
  BlogSummary,
  CategoryCount,
  SlugOrId,
  TagCount
} from '../../../../schemas/blog.ts'
import { Id, Locale, OneOf, ProjectId, Ref } from '../../../../schemas/fields.ts'
import { withoutTrailingSlash } from '../../../../lib/text.ts'
import { cursorLinks, pageLinks } from '../../../../lib/http/page-links.ts'
import { keyAccess, getReader } from '../../../callers.ts'
import { jsonResponse, listResponse, sendJson } from '../../../list-response.ts'
import { withImageToken } from '../../../preview-page.ts'

const tags = ['Blogs']
const read = { access: keyAccess('blogs:read', 'blogs'), cache: true }
const Slug = Type.Object({ slug: SlugOrId() })
const BLOG = Ref(Blog)
const BLOG_ITEM = Ref(BlogListItem)
/** Fastify compiles a schema once. */
const serializers = (reply: FastifyReply) => ({
  blog: reply.compileSerializationSchema(BLOG),
  item: reply.compileSerializationSchema(BLOG_ITEM)
})
const toHttpDate = (timestamp: string): string => new Date(timestamp).toUTCString()
const alsoIn = (projectIds: string[]): Record<string, string> =>
  projectIds.length > 0 ? { 'slug-also-in': projectIds.join(', ') } : {}
const inProject = {
  projectId: Type.Optional(
    ProjectId({ description: 'The project of the blog. Default: all projects of the API key; the newest blog wins' })
  )
}
const moved = Type.Object(
  { code: Type.Literal('slug_moved'), slug: Type.String() },
  {
    description: 'The blog has a new slug',
    headers: { Location: { type: 'string', description: 'The URL of the blog, below the public URL of the service' } }
  }
)

/** Published blogs, for customers' websites. */
const routes: FastifyPluginAsyncTypebox = async (app) => {
  const { blogs } = app.services

  /** Redirects to the blog with this slug, or to a path below it, with the query of the request. */
  async function redirect(
    reply: FastifyReply,
    { slug, suffix = '' }: { slug: string; suffix?: string }
  ): Promise<never> {
    const { url } = reply.request
    const query = url.includes('?') ? url.slice(url.indexOf('?')) : ''
    reply.code(308).header('location', `${withoutTrailingSlash(app.publicUrl)}/api/v1/blogs/${slug}${suffix}${query}`)
    return (await reply.send({ code: 'slug_moved', slug })) as never
  }

  app.get(
    '/',
    {
      config: { ...read, large: 'list', errors: ['project_not_allowed', 'busy'] },
      schema: {
        operationId: 'listBlogs',
        summary: 'List blogs',
        description:
          'Returns published blogs, newest first unless `sort` is given. ' +
          'Use `include=content` to build a whole site from a few requests, and `updatedSince` to fetch changes. ' +
          'Read long lists with `cursor`: a page number counts all blogs before it.',
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
        request.caller.kind === 'key' &&
        !request.caller.scopes.includes('blogs:write')
      ) {
        throw problem('scope_missing', `status=${status} requires the scope blogs:write.`, {
          members: { scope: 'blogs:write' }
        })
      }
      const { list, omitted } = await blogs.list(getReader(request), request.query, serializers(reply))
      if (omitted.length > 0) app.reportOmitted(omitted, reply)
      const links = list.page === undefined ? cursorLinks(request.url, list) : pageLinks(request.url, list)
      if (links !== '') reply.header('link', links)
      return await listResponse(reply, list)
    }
  )

  app.get(
    '/categories',
    {
      config: { ...read, large: 'list', errors: ['project_not_allowed', 'busy'] },
      schema: {
        operationId: 'listBlogCategories',
        summary: 'Count blogs by category',
        description:
          'Counts published blogs, the largest category first. Blogs without a category are not counted. ' +
          'Spellings that differ only in case are one category.',
        tags,
        querystring: Type.Object(
          { projectId: Type.Optional(ProjectId()), locale: Type.Optional(Locale()) },
          { additionalProperties: false }
        ),
        response: { 200: Type.Array(Ref(CategoryCount), { description: 'The categories' }) }
      }
    },
    async (request, reply) => await jsonResponse(reply, await blogs.categories(getReader(request), request.query))
  )

  app.get(
    '/tags',
    {
      config: { ...read, large: 'list', errors: ['project_not_allowed', 'busy'] },
      schema: {
        operationId: 'listBlogTags',
        summary: 'Count blogs by tag',
        description:
          'Counts published blogs, the most frequent tag first. Spellings that differ only in case are one tag.',
        tags,
        querystring: Type.Object(
          { projectId: Type.Optional(ProjectId()), locale: Type.Optional(Locale()) },
          { additionalProperties: false }
        ),
        response: { 200: Type.Array(Ref(TagCount), { description: 'The tags' }) }
      }
    },
    async (request, reply) => await jsonResponse(reply, await blogs.tags(getReader(request), request.query))
  )

  app.get(
    '/authors',
    {
      config: { ...read, large: 'list', errors: ['project_not_allowed', 'busy'] },
      schema: {
        operationId: 'listBlogAuthors',
        summary: 'Count blogs by author',
        description:
          'Counts published blogs, the author of most blogs first. A blog with several authors counts for each.',
        tags,
        querystring: Type.Object(
          { projectId: Type.Optional(ProjectId()), locale: Type.Optional(Locale()) },
          { additionalProperties: false }
        ),
        response: { 200: Type.Array(Ref(AuthorCount), { description: 'The authors' }) }
      }
    },
    async (request, reply) => await jsonResponse(reply, await blogs.authors(getReader(request), request.query))
  )

  app.get(
    '/redirects',
    {
      config: { ...read, large: 'list', errors: ['project_not_allowed', 'busy'] },
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
      config: {
        ...read,
        // The response without related blogs is stored, and the same for all requests.
        large({ query }) {
          const { include, preview } = query as { include?: string; preview?: string }
          return include === undefined && preview === undefined ? null : 'blog'
        },
        errors: ['blog_not_found', 'blog_gone', 'project_not_allowed', 'busy'],
        async findStored(reader, slug) {
          const found = await blogs.findStored(reader, { slug })
          if (found === null) return null
          return { ...found, lastModified: toHttpDate(found.modifiedAt), headers: alsoIn(found.otherProjects) }
        }
      },
      schema: {
        operationId: 'getBlog',
        summary: 'Retrieve a blog by slug',
        description:
          'Returns a published blog with its HTML, CSS and JSON-LD. ' +
          'A former slug responds with 308 and the URL of the current slug. ' +
          'Slugs are unique within a project: if several projects of the API key have a blog with the slug, ' +
          'the one published last is returned, and the header `Slug-Also-In` names the other projects.',
        tags,
        params: Slug,
        querystring: Type.Object(
          {
            ...inProject,
            include: Type.Optional(OneOf(['related'], { description: '`related` adds the related blogs' })),
            relatedLimit: Type.Integer({
              minimum: 1,
              maximum: 12,
              default: 3,
              description: 'The number of related blogs, with `include=related`'
            }),
            preview: Type.Optional(
              Type.String({
                maxLength: 200,
                description: 'The token of `POST /blogs/{blogId}/preview`: returns the blog in any state, as it will be'
              })
            )
          },
          { description: 'Other parameters are ignored' }
        ),
        response: {
          200: Ref(Blog, {
            description: 'The blog',
            headers: {
              'Slug-Also-In': {
                type: 'string',
                description:
                  'The ids of the other projects that have a published blog with this slug, separated by commas'
              }
            }
          }),
          308: moved
        }
      }
    },
    async (request, reply) => {
      const address = { ...request.params, projectId: request.query.projectId }
      const { include, relatedLimit, preview: token } = request.query
      if (token !== undefined) {
        reply.noCache = true
        reply.cacheControl('no-store').header('x-robots-tag', 'noindex')
        return withImageToken(await blogs.previewBySlug(getReader(request), address, token), token)
      }
      const found = await blogs.getBySlug(getReader(request), address, {
        relatedLimit: include === undefined ? undefined : relatedLimit,
        serialize: serializers(reply)
      })
      if (found.kind === 'moved') return await redirect(reply, { slug: found.slug })
      reply.version = found.version
      reply.prepared = found
      reply.headers(alsoIn(found.otherProjects))
      if (found.modifiedAt !== null) reply.header('last-modified', toHttpDate(found.modifiedAt))
      return sendJson(reply, found.body)
    }
  )

  app.get(
    '/:slug/related',
    {
      config: { ...read, large: 'list', errors: ['blog_not_found', 'blog_gone', 'project_not_allowed', 'busy'] },
      schema: {
        operationId: 'listRelatedBlogs',
        summary: 'List related blogs',
        description:
          'Returns the most similar published blogs of the same project and language by text, tags and category. ' +
          'If there are too few, the newest blogs of the project in this language complete the list with score 0.',
        tags,
        params: Slug,
        querystring: Type.Object(
          { ...inProject, limit: Type.Integer({ minimum: 1, maximum: 12, default: 3 }) },
          { additionalProperties: false }
        ),
        response: {
          200: Type.Array(Ref(BlogSummary), { description: 'The related blogs, most similar first' }),
          308: moved
        }
      }
    },
    async (request, reply) => {
      const { limit, projectId } = request.query
      const found = await blogs.related(getReader(request), { ...request.params, projectId }, limit)
      return Array.isArray(found) ? found : await redirect(reply, { slug: found.moved, suffix: '/related' })
    }
  )

  app.get(
    '/by-id/:blogId',
    {
      config: {
        access: keyAccess('blogs:write', 'blogs'),
        large: 'blog',
        errors: ['blog_not_found', 'blog_gone', 'busy']
      },
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
      const reader = getReader(request)
      const blog = await blogs.toDraftResponse(await blogs.get(reader, request.params.blogId), reader)
      reply.version = blog.version
      reply.header('last-modified', new Date(blog.updatedAt).toUTCString())
      return blog
    }
  )
}
export default routes
