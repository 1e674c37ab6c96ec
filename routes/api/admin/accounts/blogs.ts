import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { BlogImport, BlogImportResult, IMPORT_BODY_BYTES, ImportedBlog } from '../../../../schemas/blog-import.ts'
import { Ref } from '../../../../schemas/fields.ts'
import { adminAccess, getAdminWriter } from '../../../callers.ts'

const tags = ['Administration']
const params = Type.Object({ accountId: Type.String({ minLength: 1, maxLength: 200 }) })

/** Blog imports, for administrators and the command line. */
const routes: FastifyPluginAsyncTypebox = async (app) => {
  const { accounts, blogImport } = app.services

  app.post(
    '/:accountId/blogs/import',
    {
      bodyLimit: IMPORT_BODY_BYTES,
      config: {
        access: adminAccess,
        errors: ['admin_only', 'payload_too_large'],
        audit: ({ results }, { body }) => {
          const count = (result: string) =>
            (results as BlogImportResult[]).filter((each) => each.result === result).length
          const [created, updated] = [count('created'), count('updated')]
          return created + updated === 0
            ? null
            : {
                action: 'blog.batch_imported',
                target: { type: 'project', id: (body as BlogImport).projectId },
                changes: [
                  { field: 'created', to: created },
                  { field: 'updated', to: updated }
                ]
              }
        }
      },
      schema: {
        operationId: 'importBlogs',
        summary: 'Import blogs',
        description:
          'Identifies blogs by slug: existing blogs are updated, unchanged blogs are skipped. ' +
          'Valid blogs are imported even if others are invalid.',
        tags,
        params,
        body: Ref(BlogImport),
        response: {
          200: Type.Object({ results: Type.Array(Ref(BlogImportResult)) }, { description: 'The result of each blog' })
        }
      }
    },
    async (request) => {
      const { accountId } = request.params
      const { projectId, blogs } = request.body
      await accounts.ensure(accountId)
      const valid: { index: number; blog: ImportedBlog }[] = []
      const invalid: BlogImportResult[] = []
      for (const [index, blog] of blogs.entries()) {
        const errors = app.fieldErrors(ImportedBlog, blog)
        if (errors.length > 0) invalid.push(blogImport.toFailedResult(index, null, errors))
        else valid.push({ index, blog: blog as ImportedBlog })
      }
      const imported = await blogImport.importBlogs(getAdminWriter(request, accountId), projectId, valid)
      return { results: [...invalid, ...imported].sort((a, b) => a.index - b.index) }
    }
  )
}
export default routes
