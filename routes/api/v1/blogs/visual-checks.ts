import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { Id, Ref } from '../../../../schemas/fields.ts'
import { PageQuery } from '../../../../schemas/page.ts'
import { VisualCheck, VisualCheckInput, VisualCheckList } from '../../../../schemas/visual-check.ts'
import { keyAccess, getReader } from '../../../callers.ts'
import { sendReport, sendScreenshot } from '../../../visual-check-files.ts'
import { pageLinks } from '../../../../lib/http/page-links.ts'

const tags = ['Visual checks']
const access = keyAccess('blogs:read', 'visual-check')
const ofBlog = Type.Object({ blogId: Id() })
const ofCheck = Type.Object({ blogId: Id(), checkId: Id() })
/** How long a request waits for the start and for the end of its visual check. */
const START_MS = 25_000
const WAIT_MS = 90_000
/** Retry-After for a visual check in progress. */
const AGAIN_SECONDS = '2'

const REQUEST_ERRORS = [
  'blog_not_found',
  'blog_gone',
  'url_not_allowed',
  'too_many_visual_checks',
  'too_many_unfinished_visual_checks',
  'visual_check_failed',
  'busy'
] as const

/** Checks of how a published blog renders on its page. */
const routes: FastifyPluginAsyncTypebox = async (app) => {
  const { visualChecks } = app.services

  app.post(
    '/:blogId/visual-check',
    {
      config: {
        access,
        errors: REQUEST_ERRORS,
        waitsForOthers: true,
        audit: { exempt: 'Visual checks have a history of their own' }
      },
      schema: {
        operationId: 'checkBlogVisually',
        summary: 'Run a visual check',
        description:
          'Opens the page in a browser at mobile and desktop viewport sizes, ' +
          'and compares the rendered page with the blog. ' +
          'Waits for the result and responds with 200: `overallScore` is a number, also for pages that cannot be ' +
          'opened. Responds with 202 and the URL of the check to requests with `Prefer: respond-async`, ' +
          'if the check is still queued after 25 seconds, and if it takes longer than 90 seconds. ' +
          'Responds with 503 if the service itself cannot run the check. ' +
          'An account may have four unfinished checks.',
        tags,
        params: ofBlog,
        headers: Type.Object({
          prefer: Type.Optional(Type.String({ description: '`respond-async`: do not wait for the result' }))
        }),
        body: Ref(VisualCheckInput),
        response: {
          200: Ref(VisualCheck, { description: 'The finished check' }),
          202: Ref(VisualCheck, {
            description: 'The check, which is in progress',
            headers: {
              Location: { type: 'string' },
              'Retry-After': { type: 'string', description: 'The number of seconds after which to retrieve the check' },
              'Preference-Applied': { type: 'string', description: '`respond-async`, if it was requested' }
            }
          })
        }
      }
    },
    async (request, reply) => {
      const asynchronous = /\brespond-async\b/i.test(request.headers.prefer ?? '')
      const reader = getReader(request)
      const asked = await visualChecks.request(reader, request.params.blogId, {
        ...request.body,
        operation: request.operation
      })
      const check = asynchronous
        ? asked
        : await visualChecks.wait(asked, WAIT_MS, { startMs: START_MS, isAborted: () => app.closing })
      if (asynchronous) reply.header('preference-applied', 'respond-async')
      await visualChecks.assertNotFailed(reader, check)
      if (check.finishedAt !== null) return visualChecks.toResponse(check)
      return await reply
        .code(202)
        .headers({ location: `/api/v1/blogs/${check.blogId}/visual-checks/${check.id}`, 'retry-after': AGAIN_SECONDS })
        .send(visualChecks.toResponse(check))
    }
  )

  app.get(
    '/:blogId/visual-checks',
    {
      config: { access, errors: ['blog_not_found', 'blog_gone'] },
      schema: {
        operationId: 'listVisualChecks',
        summary: 'List the visual checks of a blog',
        description:
          'Newest first, with score and time: the history of the pages of the blog. ' +
          'Checks and their screenshots are kept for 30 days.',
        tags,
        params: ofBlog,
        querystring: Type.Object(
          {
            ...PageQuery,
            url: Type.Optional(
              Type.String({ minLength: 1, maxLength: 2000, description: 'Lists only the checks of this page' })
            )
          },
          { additionalProperties: false }
        ),
        response: { 200: Ref(VisualCheckList, { description: 'A page of checks without findings' }) }
      }
    },
    async (request, reply) => {
      const list = await visualChecks.list(getReader(request), request.params.blogId, request.query)
      reply.header('link', pageLinks(request.url, list))
      return list
    }
  )

  app.get(
    '/:blogId/visual-checks/:checkId',
    {
      config: { access, errors: ['blog_not_found', 'blog_gone', 'visual_check_not_found'] },
      schema: {
        operationId: 'getVisualCheck',
        summary: 'Retrieve a visual check',
        description:
          'Returns a finished check, or the state of a check in progress: poll until `finishedAt` is set. ' +
          'A check with the status `failed` has no score: `reason` says why the service could not run it.',
        tags,
        params: ofCheck,
        response: { 200: Ref(VisualCheck, { description: 'The check' }) }
      }
    },
    async (request) =>
      visualChecks.toResponse(
        await visualChecks.read(getReader(request), request.params.blogId, request.params.checkId)
      )
  )

  app.get(
    '/:blogId/visual-checks/:checkId/report',
    {
      config: { access, errors: ['blog_not_found', 'blog_gone', 'visual_check_not_found'] },
      schema: {
        operationId: 'getVisualCheckReport',
        summary: 'Retrieve the report of a visual check',
        description:
          'Returns one HTML file with the score, the history of the page, the findings and the screenshots. ' +
          'The file loads nothing: save it, or show it in a sandboxed frame. ' +
          'It has crops and the full page for checks with `screenshots: full`.',
        tags,
        params: ofCheck,
        produces: ['text/html'],
        response: { 200: Type.String({ description: 'The report' }) }
      }
    },
    async (request, reply) => {
      const { blogId, checkId } = request.params
      return await sendReport(reply, await visualChecks.report(getReader(request), blogId, checkId))
    }
  )

  app.get(
    '/:blogId/visual-checks/:checkId/screenshots/:name',
    {
      config: { access, errors: ['blog_not_found', 'blog_gone', 'visual_check_not_found', 'screenshot_not_found'] },
      schema: {
        operationId: 'getVisualCheckScreenshot',
        summary: 'Retrieve a screenshot',
        description: 'Returns a WebP image. `screenshots` of the check lists the URLs.',
        tags,
        params: Type.Object({
          blogId: Id(),
          checkId: Id(),
          name: Type.String({ minLength: 1, maxLength: 100, examples: ['k3f9x2.webp'] })
        }),
        produces: ['image/webp'],
        response: { 200: Type.Unsafe<unknown>({ type: 'string', format: 'binary', description: 'The screenshot' }) }
      }
    },
    async (request, reply) =>
      await sendScreenshot(reply, await visualChecks.screenshot(getReader(request), request.params))
  )
}
export default routes
