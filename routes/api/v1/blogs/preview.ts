import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { runAsOwner } from '../../../../lib/async.ts'
import { articleStyleQuery, type ArticleStyle } from '../../../../schemas/article-style.ts'
import { Id, notStored, OneOf } from '../../../../schemas/fields.ts'
import { PREVIEW_PAGES, previewPage } from '../../../preview-page.ts'

/** Allows the styles and images of the blog, and the video players that its content may embed. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "img-src 'self' https:",
  "style-src 'unsafe-inline'",
  'frame-src https://www.youtube-nocookie.com https://player.vimeo.com',
  "base-uri 'none'",
  "form-action 'self'"
].join('; ')

type StyleQuery = { [Name in keyof ArticleStyle]?: NonNullable<ArticleStyle[Name]> | '' }

/** The settings of a query string, in which an empty value means null. */
function settingsOf(query: StyleQuery): Partial<ArticleStyle> {
  return Object.fromEntries(Object.entries(query).map(([name, value]) => [name, value === '' ? null : value]))
}

/** The page of a preview link. */
const routes: FastifyPluginAsyncTypebox = async (app) => {
  const { blogs } = app.services

  app.get(
    '/:blogId/preview',
    {
      config: { access: { kind: 'public' }, large: () => null, errors: ['blog_not_found', 'busy'] },
      schema: {
        operationId: 'showBlogPreview',
        summary: 'Show a preview',
        description:
          'Returns the page of a preview link. The token is the only credential. The other parameters are settings ' +
          'of the project that apply to this page only, and are not saved. An empty value stands for null.',
        tags: ['Writing blogs'],
        params: Type.Object({ blogId: Id() }),
        querystring: Type.Object(
          {
            token: Type.String({ maxLength: 200 }),
            ...articleStyleQuery,
            page: Type.Optional(
              OneOf(PREVIEW_PAGES, { description: 'The color scheme of the page around the article. Default: system' })
            )
          },
          { additionalProperties: false }
        ),
        produces: ['text/html'],
        response: { 200: Type.String({ description: 'An HTML page', ...notStored }) }
      }
    },
    async (request, reply) => {
      const { token, page = 'system', ...query } = request.query
      const { blogId: id } = request.params
      const accountId = await blogs.previewAccount({ id, token })
      // Anybody may request the page, from any number of addresses: all of them together are one client.
      const owner = `previews ${accountId}`
      await app.startPreview({ request, reply, owner })
      const settings = settingsOf(query)
      const { blog, style } = await runAsOwner(owner, async () => await blogs.preview({ accountId, id }, settings))
      reply.type('text/html; charset=utf-8').headers({
        'cache-control': 'no-store',
        'x-robots-tag': 'noindex',
        'referrer-policy': 'no-referrer',
        'content-security-policy': CONTENT_SECURITY_POLICY
      })
      return previewPage({ blog, token, style, page })
    }
  )
}
export default routes
