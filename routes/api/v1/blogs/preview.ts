import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { Id, notStored } from '../../../../schemas/fields.ts'
import { previewPage } from '../../../preview-page.ts'

/** Allows the styles and images of the blog, and the video players that its content may embed. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "img-src 'self' https:",
  "style-src 'unsafe-inline'",
  'frame-src https://www.youtube-nocookie.com https://player.vimeo.com',
  "base-uri 'none'",
  "form-action 'none'"
].join('; ')

/** The page of a preview link. */
const routes: FastifyPluginAsyncTypebox = async (app) => {
  const { blogs } = app.services

  app.get(
    '/:blogId/preview',
    {
      config: { access: { kind: 'public' }, errors: ['blog_not_found'] },
      schema: {
        operationId: 'showBlogPreview',
        summary: 'Show a preview',
        description: 'Returns the page of a preview link. The token is the only credential.',
        tags: ['Writing blogs'],
        params: Type.Object({ blogId: Id() }),
        querystring: Type.Object({ token: Type.String({ maxLength: 200 }) }, { additionalProperties: false }),
        produces: ['text/html'],
        response: { 200: Type.String({ description: 'An HTML page', ...notStored }) }
      }
    },
    async (request, reply) => {
      const { blog, token } = await blogs.preview(request.params.blogId, request.query.token)
      reply.type('text/html; charset=utf-8').headers({
        'cache-control': 'no-store',
        'x-robots-tag': 'noindex',
        'referrer-policy': 'no-referrer',
        'content-security-policy': CONTENT_SECURITY_POLICY
      })
      return previewPage(blog, token)
    }
  )
}
export default routes
