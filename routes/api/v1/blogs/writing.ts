import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import type { FastifyReply } from 'fastify'
import { BlogDraft, BlogInput, BlogPatch, SlugOrId } from '../../../../schemas/blog.ts'
import { Id, ProjectId, Ref, Timestamp, notStored } from '../../../../schemas/fields.ts'
import { parseIfMatch } from '../../../../lib/http/conditional.ts'
import { keyAccess, getReader, getWriter } from '../../../callers.ts'
import { withImageToken } from '../../../preview-page.ts'

const tags = ['Writing blogs']
const access = keyAccess('blogs:write', 'blogs')
const params = Type.Object({ blogId: Id() })
const slugParams = Type.Object({ slug: SlugOrId() })
const inProject = Type.Object(
  { projectId: Type.Optional(ProjectId({ description: 'Required if several projects have a blog with the slug' })) },
  { additionalProperties: false }
)
const headers = Type.Object({
  'if-match': Type.Optional(
    Type.String({ description: 'The ETag of your copy. The response is 412 if the blog has changed since' })
  )
})
const tag = (reply: FastifyReply, { version }: { version: number }) => reply.header('etag', `"v${version}"`)

/** Writing and publishing blogs, for editors and back offices. */
const routes: FastifyPluginAsyncTypebox = async (app) => {
  const { blogs, images } = app.services

  app.post(
    '/',
    {
      config: {
        access,
        large: 'blog',
        errors: [
          'reserved_slug',
          'slug_taken',
          'project_not_allowed',
          'project_not_found',
          'storage_quota_exceeded',
          'content_too_complex',
          'busy'
        ],
        audit: { action: 'blog.created', target: { type: 'blog' }, shows: ['status', 'slug'] }
      },
      schema: {
        operationId: 'createBlog',
        summary: 'Create a blog',
        description:
          'Creates a blog from Markdown or HTML, as a draft unless `status` is `published`. ' +
          'The slug is generated from the title and the meta description from the text, unless they are given.',
        tags,
        body: Ref(BlogInput),
        response: {
          201: Ref(BlogDraft, {
            description: 'The created blog',
            headers: { Location: { type: 'string' }, ETag: { type: 'string' } }
          })
        }
      }
    },
    async (request, reply) => {
      const blog = await blogs.create(getWriter(request), request.body, request.operation)
      tag(reply, blog).code(201).header('location', `/api/v1/blogs/by-id/${blog.id}`)
      return await blogs.toDraftResponse(blog, getReader(request))
    }
  )

  app.patch(
    '/:slug',
    {
      config: {
        access,
        large: 'blog',
        errors: [
          'storage_quota_exceeded',
          'blog_not_found',
          'blog_gone',
          'precondition_failed',
          'slug_taken',
          'slug_ambiguous',
          'reserved_slug',
          'edit_conflict',
          'project_not_allowed',
          'project_not_found',
          'content_too_complex',
          'busy'
        ],
        audit: { action: 'blog.updated', target: { type: 'blog' }, shows: ['slug', 'projectId', 'publishedAt'] }
      },
      schema: {
        operationId: 'updateBlog',
        summary: 'Update a blog',
        description:
          'Omitted fields keep their values; null clears a field. A former public slug redirects to the new one.',
        tags,
        params: slugParams,
        querystring: inProject,
        headers,
        body: Ref(BlogPatch),
        response: { 200: Ref(BlogDraft, { description: 'The updated blog' }) }
      }
    },
    async (request, reply) => {
      const writer = getWriter(request)
      const blog = await blogs.patch(
        writer,
        await blogs.resolveId(writer, request.params.slug, request.query.projectId),
        {
          patch: request.body,
          ifVersions: parseIfMatch(request.headers['if-match'])
        }
      )
      tag(reply, blog)
      return await blogs.toDraftResponse(blog, getReader(request))
    }
  )

  app.delete(
    '/:slug',
    {
      config: {
        access,
        errors: [
          'blog_not_found',
          'blog_gone',
          'slug_ambiguous',
          'project_not_allowed',
          'precondition_failed',
          'edit_conflict'
        ],
        audit: { action: 'blog.deleted', target: { type: 'blog' } }
      },
      schema: {
        operationId: 'deleteBlog',
        summary: 'Delete a blog',
        description: 'Deletes a blog and its images. Its URLs then respond with 404 and the code blog_gone.',
        tags,
        params: slugParams,
        querystring: inProject,
        headers,
        response: { 204: Type.Null({ description: 'Deleted' }) }
      }
    },
    async (request, reply) => {
      const writer = getReader(request)
      const id = await blogs.resolveId(writer, request.params.slug, request.query.projectId)
      reply.audited = await blogs.delete(writer, id, parseIfMatch(request.headers['if-match']))
      return await reply.code(204).send(null)
    }
  )

  app.post(
    '/:blogId/publish',
    {
      config: {
        access,
        large: 'blog',
        errors: ['blog_not_found', 'blog_gone', 'blog_state_conflict', 'precondition_failed', 'edit_conflict', 'busy'],
        audit: ({ status, publishAt }) =>
          status === 'scheduled'
            ? {
                action: 'blog.scheduled',
                target: { type: 'blog' },
                changes: [{ field: 'publishAt', to: publishAt as string }]
              }
            : { action: 'blog.published', target: { type: 'blog' }, changes: [] }
      },
      schema: {
        operationId: 'publishBlog',
        summary: 'Publish or schedule a blog',
        description: 'A `publishAt` in the future schedules the blog.',
        tags,
        params,
        headers,
        body: Type.Optional(
          Type.Union([
            Type.Object({ publishAt: Type.Optional(Timestamp()) }, { additionalProperties: false }),
            Type.Null()
          ])
        ),
        response: { 200: Ref(BlogDraft, { description: 'The updated blog' }) }
      }
    },
    async (request, reply) => {
      const ifVersions = parseIfMatch(request.headers['if-match'])
      const target = { writer: getReader(request), id: request.params.blogId, ifVersions }
      const blog = await blogs.publish(target, request.body?.publishAt)
      tag(reply, blog)
      return await blogs.toDraftResponse(blog, getReader(request))
    }
  )

  app.post(
    '/:blogId/unpublish',
    {
      config: {
        access,
        large: 'blog',
        errors: ['blog_not_found', 'blog_gone', 'blog_state_conflict', 'precondition_failed', 'edit_conflict', 'busy'],
        audit: { action: 'blog.unpublished', target: { type: 'blog' } }
      },
      schema: {
        operationId: 'unpublishBlog',
        summary: 'Unpublish a blog',
        description: 'A published blog becomes unpublished; a scheduled blog becomes a draft.',
        tags,
        params,
        headers,
        response: { 200: Ref(BlogDraft, { description: 'The updated blog' }) }
      }
    },
    async (request, reply) => {
      const ifVersions = parseIfMatch(request.headers['if-match'])
      const blog = await blogs.unpublish({ writer: getReader(request), id: request.params.blogId, ifVersions })
      tag(reply, blog)
      return await blogs.toDraftResponse(blog, getReader(request))
    }
  )

  app.post(
    '/:blogId/render',
    {
      config: {
        access,
        large: 'blog',
        errors: ['blog_not_found', 'blog_gone', 'project_not_allowed', 'content_too_complex', 'busy'],
        audit: { exempt: 'Nothing is saved' }
      },
      schema: {
        operationId: 'renderBlog',
        summary: 'Render unsaved changes',
        description:
          'Returns the blog as readers would see it with these changes. Nothing is saved, so that an editor can show ' +
          'a live preview of a published blog. The URLs of its images carry a token that is valid for 24 hours.',
        tags,
        params,
        body: Ref(BlogPatch),
        response: { 200: Ref(BlogDraft, { description: 'The rendered blog', ...notStored }) }
      }
    },
    async (request, reply) => {
      const reader = getReader(request)
      const blog = await blogs.render(reader, request.params.blogId, request.body)
      reply.cacheControl('no-store')
      return withImageToken(await blogs.toDraftResponse(blog, reader), images.createPreviewToken(blog.id).token)
    }
  )

  app.post(
    '/:blogId/preview',
    {
      config: {
        access: keyAccess('blogs:write', 'blogs', ['previews:write']),
        errors: ['blog_not_found', 'blog_gone'],
        audit: { exempt: 'Nothing is saved, and the console creates a link with each editor' }
      },
      schema: {
        operationId: 'previewBlog',
        summary: 'Create a preview link',
        description:
          'Returns a signed URL that shows the current state of the blog for 24 hours, without a credential.',
        tags,
        params,
        response: {
          200: Type.Object(
            {
              url: Type.String(),
              token: Type.String({ description: 'For `GET /blogs/{slug}?preview=`, on your own site' }),
              expiresAt: Timestamp()
            },
            { description: 'The link', ...notStored }
          )
        }
      }
    },
    async (request, reply) => {
      const { id } = await blogs.getMetadata(getReader(request), request.params.blogId)
      const { token, expiresAt } = images.createPreviewToken(id)
      reply.cacheControl('no-store')
      return { url: `${app.publicUrl}/api/v1/blogs/${id}/preview?token=${token}`, token, expiresAt }
    }
  )
}
export default routes
