import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { Id, Ref } from '../../../../schemas/fields.ts'
import { PageQuery } from '../../../../schemas/page.ts'
import { VisualCheck, VisualCheckInput, VisualCheckList } from '../../../../schemas/visual-check.ts'
import { keyAccess, readerOf } from '../../../callers.ts'
import { sendPicture } from '../../../check-picture.ts'
import { pageLinks } from '../../../page-links.ts'

const tags = ['Visual checks']
const access = keyAccess('blogs:read', 'visual-check')
const ofBlog = Type.Object({ blogId: Id() })
const ofCheck = Type.Object({ blogId: Id(), checkId: Id() })
/** For how long a request waits for its check. */
const WAIT_MS = 25_000
/** When to look again for a check that goes on. */
const AGAIN_SECONDS = '2'

/** Whether a published blog can be seen and read in its page. */
const routes: FastifyPluginAsyncTypebox = async (app) => {
  const { visualChecks } = app.services

  app.post(
    '/:blogId/visual-check',
    {
      config: { access, errors: ['blog_not_found', 'blog_gone', 'url_not_allowed', 'too_many_visual_checks', 'busy'] },
      schema: {
        operationId: 'checkBlogVisually',
        summary: 'Check how a blog looks in its page',
        description:
          'Opens the page in a browser, as a telephone and as a laptop, and compares what a reader sees with the blog. Answers when the check has ended, within 25 seconds; a longer one, and any with `Prefer: respond-async`, answers 202 at once with where to look for it. An account may have four checks at a time.',
        tags,
        params: ofBlog,
        headers: Type.Object({
          prefer: Type.Optional(Type.String({ description: '`respond-async`: do not wait for the end' }))
        }),
        body: Ref(VisualCheckInput),
        response: {
          200: Ref(VisualCheck, { description: 'The check, which has ended' }),
          202: Ref(VisualCheck, {
            description: 'The check, which goes on',
            headers: {
              Location: { type: 'string' },
              'Retry-After': { type: 'string', description: 'Seconds after which to look for it' },
              'Preference-Applied': { type: 'string', description: '`respond-async` where that was asked for' }
            }
          })
        }
      }
    },
    async (request, reply) => {
      const asynchronous = /\brespond-async\b/i.test(request.headers.prefer ?? '')
      const asked = await visualChecks.request(readerOf(request), request.params.blogId, request.body)
      const check = asynchronous ? asked : await visualChecks.wait(asked, WAIT_MS)
      if (asynchronous) reply.header('preference-applied', 'respond-async')
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
        description: 'The newest first. Checks and their pictures are kept for 30 days after their end.',
        tags,
        params: ofBlog,
        querystring: Type.Object(PageQuery, { additionalProperties: false }),
        response: { 200: Ref(VisualCheckList, { description: 'A page of checks, without their findings' }) }
      }
    },
    async (request, reply) => {
      const list = await visualChecks.list(readerOf(request), request.params.blogId, request.query)
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
        summary: 'Read a visual check',
        description: 'Whether it goes on or has ended.',
        tags,
        params: ofCheck,
        response: { 200: Ref(VisualCheck, { description: 'The check' }) }
      }
    },
    async (request) =>
      visualChecks.toResponse(await visualChecks.read(readerOf(request), request.params.blogId, request.params.checkId))
  )

  app.get(
    '/:blogId/visual-checks/:checkId/screenshots/:name',
    {
      config: { access, errors: ['blog_not_found', 'blog_gone', 'visual_check_not_found', 'screenshot_not_found'] },
      schema: {
        operationId: 'getVisualCheckScreenshot',
        summary: 'Read a picture of a visual check',
        description: 'WebP. The addresses are those of `screenshots` in the check.',
        tags,
        params: Type.Object({
          blogId: Id(),
          checkId: Id(),
          name: Type.String({ minLength: 1, maxLength: 100, examples: ['k3f9x2.webp'] })
        }),
        produces: ['image/webp'],
        response: { 200: Type.Unsafe<unknown>({ type: 'string', format: 'binary', description: 'The picture' }) }
      }
    },
    async (request, reply) => await sendPicture(reply, await visualChecks.screenshot(readerOf(request), request.params))
  )
}
export default routes
