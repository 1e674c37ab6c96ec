import type { FastifyPluginAsync, FastifyReply } from 'fastify'
import { ERRORS, problem, type ErrorCode } from '../../errors.ts'
import { errorPage, errorsPage } from './pages/errors.ts'
import { interfacePage } from './pages/interface.ts'
import { STYLE } from './pages/style.ts'

/**
 * Pages need their own style sheet and the icon inside them; nothing is fetched from elsewhere, and
 * nothing runs.
 */
const POLICY =
  "default-src 'none'; style-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/**
 * The interface for people: one page made of the interface's document, and one for every code of an
 * error.
 */
const routes: FastifyPluginAsync = async (app) => {
  let kept: { document: object; page: string } | null = null
  const schema = { hide: true } as object

  app.addHook('onRequest', async (_request, reply) => {
    reply.header('content-security-policy', POLICY).header('referrer-policy', 'same-origin')
  })
  const page = (reply: FastifyReply, markup: string) =>
    reply
      .type('text/html; charset=utf-8')
      .headers({ 'cache-control': 'public, max-age=300', vary: 'Accept-Encoding' })
      .send(markup)

  app.get('/', { schema }, async (_request, reply) => {
    const document = app.openApiDocument()
    if (kept?.document !== document) kept = { document, page: interfacePage(document) }
    return await page(reply, kept.page)
  })

  app.get('/style.css', { schema }, async (_request, reply) => await page(reply, STYLE).type('text/css; charset=utf-8'))

  app.get('/errors', { schema }, async (_request, reply) => await page(reply, errorsPage()))

  app.get<{ Params: { code: string } }>('/errors/:code', { schema }, async (request, reply) => {
    const { code } = request.params
    if (!Object.hasOwn(ERRORS, code)) throw problem('not_found', `There is no error with the code "${code}".`)
    return await page(reply, errorPage(code as ErrorCode, app.problemExample(code as ErrorCode)))
  })
}
export default routes
