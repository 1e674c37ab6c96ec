import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { BlogDraft } from '../../../../schemas/blog.ts'
import { BlogRevisionDetail, BlogRevisionList, RevisionNumber } from '../../../../schemas/blog-revision.ts'
import { Id, Ref } from '../../../../schemas/fields.ts'
import { PageQuery } from '../../../../schemas/page.ts'
import { parseIfMatch } from '../../../../lib/http/conditional.ts'
import { pageLinks } from '../../../../lib/http/page-links.ts'
import { getReader, getWriter, keyAccess } from '../../../callers.ts'

const tags = ['Writing blogs']
const access = keyAccess('blogs:write', 'blogs')
const ofBlog = Type.Object({ blogId: Id() })
const ofRevision = Type.Object({ blogId: Id(), revision: RevisionNumber() })

/** Earlier revisions of blogs, for editors. */
const routes: FastifyPluginAsyncTypebox = async (app) => {
  const { blogs } = app.services

  app.get(
    '/:blogId/revisions',
    {
      config: { access, errors: ['blog_not_found', 'blog_gone'] },
      schema: {
        operationId: 'listBlogRevisions',
        summary: 'List the revisions of a blog',
        description:
          'Newest first, beginning with the current one. Each change of the title, the text or the metadata of a ' +
          'blog creates a revision. The operator limits their number; the oldest ones are deleted.',
        tags,
        params: ofBlog,
        querystring: Type.Object(PageQuery, { additionalProperties: false }),
        response: { 200: Ref(BlogRevisionList, { description: 'A page of revisions without their source' }) }
      }
    },
    async (request, reply) => {
      const list = await blogs.listRevisions(getReader(request), request.params.blogId, request.query)
      reply.header('link', pageLinks(request.url, list))
      return list
    }
  )

  app.get(
    '/:blogId/revisions/:revision',
    {
      config: { access, large: 'blog', errors: ['blog_not_found', 'blog_gone', 'revision_not_found', 'busy'] },
      schema: {
        operationId: 'getBlogRevision',
        summary: 'Retrieve a revision of a blog',
        description: 'Returns the source that the blog had, as its author sent it.',
        tags,
        params: ofRevision,
        response: { 200: Ref(BlogRevisionDetail, { description: 'The revision' }) }
      }
    },
    async (request) => {
      const { blogId, revision } = request.params
      return await blogs.getRevision(getReader(request), blogId, revision)
    }
  )

  app.post(
    '/:blogId/revisions/:revision/restore',
    {
      config: {
        access,
        large: 'blog',
        audit: (_blog, { params }) => ({
          action: 'blog.restored',
          target: { type: 'blog' },
          changes: [{ field: 'revision', to: (params as { revision: number }).revision }]
        }),
        errors: [
          'storage_quota_exceeded',
          'blog_not_found',
          'blog_gone',
          'revision_not_found',
          'precondition_failed',
          'translation_exists',
          'edit_conflict',
          'content_too_complex',
          'busy'
        ]
      },
      schema: {
        operationId: 'restoreBlogRevision',
        summary: 'Restore a revision of a blog',
        description:
          'Changes the blog to the source of the revision, and creates a new revision. The slug, the state and the ' +
          'publication date stay: a published blog remains published. Images that were deleted since do not return.',
        tags,
        params: ofRevision,
        headers: Type.Object({
          'if-match': Type.Optional(
            Type.String({ description: 'The ETag of your copy. The response is 412 if the blog has changed since' })
          )
        }),
        response: { 200: Ref(BlogDraft, { description: 'The updated blog' }) }
      }
    },
    async (request, reply) => {
      const { blogId, revision } = request.params
      const writer = getWriter(request)
      const ifVersions = parseIfMatch(request.headers['if-match'])
      const blog = await blogs.restoreRevision(writer, blogId, { revision, ifVersions })
      reply.header('etag', `"v${blog.version}"`)
      return await blogs.toDraftResponse(blog, writer)
    }
  )
}
export default routes
