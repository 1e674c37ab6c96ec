import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { Id, Ref } from '../../../../schemas/fields.ts'
import { VisualCheck, VisualCheckInput } from '../../../../schemas/visual-check.ts'
import { adminAccess } from '../../../callers.ts'
import { sendPicture } from '../../../check-picture.ts'

const tags = ['Administration']
const accountId = Type.String({ minLength: 1, maxLength: 200 })
/**
 * The router knows one name for a place in an address: here it is a slug when a check is asked for,
 * and an id after that.
 */
const ofSlug = Type.Object({
  accountId,
  blog: Type.String({
    minLength: 1,
    maxLength: 300,
    description: 'The slug of the blog; one that it had before will do',
    examples: ['which-tyre-width']
  })
})
const ofCheck = { accountId, blog: Id({ description: 'The id of the blog' }), checkId: Id() }
const readerOf = ({ accountId }: { accountId: string }) => ({ accountId, projectIds: null })

/** Visual checks of any account, for administrators and the command line. */
const routes: FastifyPluginAsyncTypebox = async (app) => {
  const { blogs, visualChecks } = app.services

  app.post(
    '/:accountId/blogs/:blog/visual-checks',
    {
      config: {
        access: adminAccess,
        errors: ['admin_only', 'blog_not_found', 'blog_gone', 'url_not_allowed', 'too_many_visual_checks', 'busy']
      },
      schema: {
        operationId: 'checkBlogVisuallyFor',
        summary: "Check how an account's blog looks in its page",
        description: 'Answers at once; the check is read until it has ended. It counts for the account.',
        tags,
        params: ofSlug,
        body: Ref(VisualCheckInput),
        response: {
          202: Ref(VisualCheck, {
            description: 'The check, which waits for its turn',
            headers: { Location: { type: 'string' } }
          })
        }
      }
    },
    async (request, reply) => {
      const { accountId, blog } = request.params
      const reader = readerOf(request.params)
      const check = await visualChecks.request(reader, await blogs.getIdBySlug(reader, blog), request.body)
      return await reply
        .code(202)
        .header(
          'location',
          `/api/admin/accounts/${encodeURIComponent(accountId)}/blogs/${check.blogId}/visual-checks/${check.id}`
        )
        .send(visualChecks.toResponse(check))
    }
  )

  app.get(
    '/:accountId/blogs/:blog/visual-checks/:checkId',
    {
      config: { access: adminAccess, errors: ['admin_only', 'blog_not_found', 'blog_gone', 'visual_check_not_found'] },
      schema: {
        operationId: 'getVisualCheckFor',
        summary: "Read an account's visual check",
        tags,
        params: Type.Object(ofCheck),
        response: { 200: Ref(VisualCheck, { description: 'The check' }) }
      }
    },
    async ({ params }) =>
      visualChecks.toResponse(await visualChecks.read(readerOf(params), params.blog, params.checkId))
  )

  app.get(
    '/:accountId/blogs/:blog/visual-checks/:checkId/screenshots/:name',
    {
      config: {
        access: adminAccess,
        errors: ['admin_only', 'blog_not_found', 'blog_gone', 'visual_check_not_found', 'screenshot_not_found']
      },
      schema: {
        operationId: 'getVisualCheckScreenshotFor',
        summary: "Read a picture of an account's visual check",
        tags,
        params: Type.Object({
          ...ofCheck,
          name: Type.String({ minLength: 1, maxLength: 100, examples: ['k3f9x2.webp'] })
        }),
        produces: ['image/webp'],
        response: { 200: Type.Unsafe<unknown>({ type: 'string', format: 'binary', description: 'The picture' }) }
      }
    },
    async ({ params }, reply) =>
      await sendPicture(
        reply,
        await visualChecks.screenshot(readerOf(params), {
          blogId: params.blog,
          checkId: params.checkId,
          name: params.name
        })
      )
  )
}
export default routes
