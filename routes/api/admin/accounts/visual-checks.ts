import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { DEMO } from '../../../../schemas/examples/demo.ts'
import { Id, ProjectId, Ref } from '../../../../schemas/fields.ts'
import { VisualCheck, VisualCheckInput } from '../../../../schemas/visual-check.ts'
import { adminAccess } from '../../../callers.ts'
import { sendReport, sendScreenshot } from '../../../visual-check-files.ts'

const tags = ['Administration']
const accountId = Type.String({ minLength: 1, maxLength: 200 })
/**
 * The router allows one name per path segment: `blog` is a slug when a check is created, and an
 * id otherwise.
 */
const ofSlug = Type.Object({
  accountId,
  blog: Type.String({
    minLength: 1,
    maxLength: 300,
    description: 'The current or a former slug of the blog',
    examples: [DEMO.slug]
  })
})
const ofCheck = { accountId, blog: Id({ description: 'The blog id' }), checkId: Id() }
const getReader = ({ accountId }: { accountId: string }) => ({ accountId, projectIds: null })

/** Visual checks of any account, for administrators and the command line. */
const routes: FastifyPluginAsyncTypebox = async (app) => {
  const { blogs, visualChecks } = app.services

  app.post(
    '/:accountId/blogs/:blog/visual-checks',
    {
      config: {
        access: adminAccess,
        waitsForOthers: true,
        errors: [
          'admin_only',
          'blog_not_found',
          'blog_gone',
          'slug_ambiguous',
          'url_not_allowed',
          'too_many_visual_checks',
          'too_many_unfinished_visual_checks',
          'busy'
        ],
        audit: { exempt: 'Visual checks have a history of their own' }
      },
      schema: {
        operationId: 'checkBlogVisuallyFor',
        summary: "Run a visual check of an account's blog",
        description:
          'Responds immediately. Poll the check until it has finished. ' +
          'The check counts toward the limits of the account.',
        tags,
        params: ofSlug,
        querystring: Type.Object(
          {
            projectId: Type.Optional(
              ProjectId({ description: 'Required if several projects have a published blog with the slug' })
            )
          },
          { additionalProperties: false }
        ),
        body: Ref(VisualCheckInput),
        response: {
          202: Ref(VisualCheck, {
            description: 'The queued check',
            headers: { Location: { type: 'string' } }
          })
        }
      }
    },
    async (request, reply) => {
      const { accountId, blog } = request.params
      const reader = getReader(request.params)
      const check = await visualChecks.request(
        reader,
        await blogs.getIdBySlug(reader, { slug: blog, projectId: request.query.projectId }),
        {
          ...request.body,
          operation: request.operation
        }
      )
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
        summary: "Retrieve an account's visual check",
        tags,
        params: Type.Object(ofCheck),
        response: { 200: Ref(VisualCheck, { description: 'The check' }) }
      }
    },
    async ({ params }) =>
      visualChecks.toResponse(await visualChecks.read(getReader(params), params.blog, params.checkId))
  )

  app.get(
    '/:accountId/blogs/:blog/visual-checks/:checkId/report',
    {
      config: { access: adminAccess, errors: ['admin_only', 'blog_not_found', 'blog_gone', 'visual_check_not_found'] },
      schema: {
        operationId: 'getVisualCheckReportFor',
        summary: "Retrieve the report of an account's visual check",
        tags,
        params: Type.Object(ofCheck),
        produces: ['text/html'],
        response: { 200: Type.String({ description: 'The report as one HTML file' }) }
      }
    },
    async ({ params }, reply) =>
      await sendReport(reply, await visualChecks.report(getReader(params), params.blog, params.checkId))
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
        summary: "Retrieve a screenshot of an account's visual check",
        tags,
        params: Type.Object({
          ...ofCheck,
          name: Type.String({ minLength: 1, maxLength: 100, examples: ['k3f9x2.webp'] })
        }),
        produces: ['image/webp'],
        response: { 200: Type.Unsafe<unknown>({ type: 'string', format: 'binary', description: 'The screenshot' }) }
      }
    },
    async ({ params }, reply) =>
      await sendScreenshot(
        reply,
        await visualChecks.screenshot(getReader(params), {
          blogId: params.blog,
          checkId: params.checkId,
          name: params.name
        })
      )
  )
}
export default routes
