import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import type { FastifyReply } from 'fastify'
import { BlogDraft, BlogInput, BlogPatch } from '../../../../schemas/blog.ts'
import { Id, Ref, Timestamp, notStored } from '../../../../schemas/fields.ts'
import { keyAccess, readerOf, versionsOf } from '../../../callers.ts'

const tags = ['Writing blogs']
const access = keyAccess('blogs:write', 'blogs')
const params = Type.Object({ blogId: Id() })
const headers = Type.Object({
  'if-match': Type.Optional(
    Type.String({ description: 'The ETag that you read; the change is refused with 412 when the blog changed since' })
  )
})
const tag = (reply: FastifyReply, { version }: { version: number }) => reply.header('etag', `"v${version}"`)

/** What editors and back offices write. */
const routes: FastifyPluginAsyncTypebox = async (app) => {
  const { blogs, images } = app.services

  app.post(
    '/',
    {
      config: { access, errors: ['reserved_slug', 'slug_taken', 'project_not_allowed', 'project_not_found'] },
      schema: {
        operationId: 'createBlog',
        summary: 'Create a blog',
        description:
          'From Markdown or HTML; a draft, unless status is published. The slug is made from the title and the meta description from the text where they are left out.',
        tags,
        body: Ref(BlogInput),
        response: {
          201: Ref(BlogDraft, {
            description: 'The blog that was made',
            headers: { Location: { type: 'string' }, ETag: { type: 'string' } }
          })
        }
      }
    },
    async (request, reply) => {
      const blog = await blogs.create(readerOf(request), request.body)
      tag(reply, blog).code(201).header('location', `/api/v1/blogs/by-id/${blog.id}`)
      return await blogs.toDraftResponse(blog)
    }
  )

  app.patch(
    '/:blogId',
    {
      config: {
        access,
        errors: [
          'blog_not_found',
          'blog_gone',
          'precondition_failed',
          'slug_taken',
          'reserved_slug',
          'edit_conflict',
          'project_not_allowed',
          'project_not_found'
        ]
      },
      schema: {
        operationId: 'updateBlog',
        summary: 'Change a blog',
        description: 'What is left out is kept; null clears. A slug that was public keeps answering, with 308.',
        tags,
        params,
        headers,
        body: Ref(BlogPatch),
        response: { 200: Ref(BlogDraft, { description: 'The blog as it is now' }) }
      }
    },
    async (request, reply) => {
      const blog = await blogs.patch(readerOf(request), request.params.blogId, {
        patch: request.body,
        ifVersions: versionsOf(request.headers['if-match'])
      })
      tag(reply, blog)
      return await blogs.toDraftResponse(blog)
    }
  )

  app.delete(
    '/:blogId',
    {
      config: { access, errors: ['blog_not_found', 'blog_gone', 'precondition_failed', 'edit_conflict'] },
      schema: {
        operationId: 'deleteBlog',
        summary: 'Delete a blog',
        description: 'With its images. Its addresses answer 404 with the code blog_gone from then on.',
        tags,
        params,
        headers,
        response: { 204: Type.Null({ description: 'It is deleted' }) }
      }
    },
    async (request, reply) => {
      await blogs.delete(readerOf(request), request.params.blogId, versionsOf(request.headers['if-match']))
      return await reply.code(204).send(null)
    }
  )

  app.post(
    '/:blogId/publish',
    {
      config: { access, errors: ['blog_not_found', 'blog_gone', 'blog_state_conflict', 'edit_conflict'] },
      schema: {
        operationId: 'publishBlog',
        summary: 'Publish a blog, now or later',
        description: 'With publishAt in the future the blog is scheduled.',
        tags,
        params,
        body: Type.Optional(
          Type.Union([
            Type.Object({ publishAt: Type.Optional(Timestamp()) }, { additionalProperties: false }),
            Type.Null()
          ])
        ),
        response: { 200: Ref(BlogDraft, { description: 'The blog as it is now' }) }
      }
    },
    async (request, reply) => {
      const blog = await blogs.publish(readerOf(request), request.params.blogId, request.body?.publishAt)
      tag(reply, blog)
      return await blogs.toDraftResponse(blog)
    }
  )

  app.post(
    '/:blogId/unpublish',
    {
      config: { access, errors: ['blog_not_found', 'blog_gone', 'blog_state_conflict', 'edit_conflict'] },
      schema: {
        operationId: 'unpublishBlog',
        summary: 'Take a blog off',
        description: 'A published blog becomes unpublished, a scheduled one a draft again.',
        tags,
        params,
        response: { 200: Ref(BlogDraft, { description: 'The blog as it is now' }) }
      }
    },
    async (request, reply) => {
      const blog = await blogs.unpublish(readerOf(request), request.params.blogId)
      tag(reply, blog)
      return await blogs.toDraftResponse(blog)
    }
  )

  app.post(
    '/:blogId/preview',
    {
      config: { access, errors: ['blog_not_found', 'blog_gone'] },
      schema: {
        operationId: 'previewBlog',
        summary: 'Make a preview link',
        description: 'A signed address that shows the blog in its present state for 24 hours, to whoever has it.',
        tags,
        params,
        response: {
          200: Type.Object({ url: Type.String(), expiresAt: Timestamp() }, { description: 'The link', ...notStored })
        }
      }
    },
    async (request, reply) => {
      const { id } = await blogs.get(readerOf(request), request.params.blogId)
      const { token, expiresAt } = images.createPreviewToken(id)
      reply.header('cache-control', 'no-store')
      return { url: `${app.publicUrl}/api/v1/blogs/${id}/preview?token=${token}`, expiresAt }
    }
  )
}
export default routes
