import { readFile, readdir } from 'node:fs/promises'
import path from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyPluginAsync, FastifyReply } from 'fastify'
import { ERRORS, problem, type ErrorCode } from '../../errors.ts'
import { entityTag } from '../../lib/http/conditional.ts'
import { createDocuments, sendDocument, type MakeDocument } from '../documents.ts'
import { renderApiPage } from './pages/api.ts'
import { renderErrorPage, renderErrorsPage } from './pages/errors.ts'
import { GUIDES } from './pages/guide-list.ts'
import { renderGuide, renderGuideIndex } from './pages/guides.ts'

/**
 * The pages load only their own style sheet and images, and an embedded icon. They contain no scripts.
 * `connect-src` is for audits: Lighthouse reads robots.txt from inside the page.
 */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'"
].join('; ')

const ASSETS = path.join(import.meta.dirname, 'assets')
const IMAGES = path.resolve(import.meta.dirname, '../../docs/images')

/**
 * The documentation: guides and README files, a page generated from the OpenAPI document, and a page for each
 * error.
 */
const routes: FastifyPluginAsync = async (app) => {
  // Registered in this scope only: Bull Board registers its own instance.
  await app.register(fastifyStatic, { root: ASSETS, serve: false, etag: false, maxAge: '5m' })
  const styleSheetTag = entityTag(await readFile(path.join(ASSETS, 'style.css')), null)
  const documents = createDocuments()
  const schema = { hide: true } as object
  const file = { schema, config: { large: 'file' } } as const

  app.addHook('onRequest', async (_request, reply) => {
    reply.header('content-security-policy', CONTENT_SECURITY_POLICY).header('referrer-policy', 'same-origin')
  })
  async function send(reply: FastifyReply, name: string, render: MakeDocument): Promise<FastifyReply> {
    // With PORT=0, the public URL changes when the server listens.
    const document = await documents(`${app.publicUrl} ${name}`, render)
    reply.type('text/html; charset=utf-8').headers({ 'cache-control': 'public, max-age=300', vary: 'Accept-Encoding' })
    return sendDocument(reply, document)
  }

  app.get('/', { schema }, async (_request, reply) => await send(reply, 'index', renderGuideIndex))

  for (const guide of GUIDES) {
    const render = async () => await renderGuide(guide)
    app.get(`/${guide.name}`, { schema }, async (_request, reply) => await send(reply, `guide ${guide.name}`, render))
  }

  for (const name of await readdir(IMAGES)) {
    app.get(`/images/${name}`, file, async (_request, reply) => await reply.sendFile(name, IMAGES))
  }

  app.get('/api/plain', { schema }, async (_request, reply) => {
    return await send(reply, 'api', async () => await renderApiPage(await app.openApiDocument()))
  })

  app.get('/style.css', file, async (_request, reply) => {
    return await reply.header('etag', styleSheetTag).sendFile('style.css')
  })

  app.get('/errors', { schema }, async (_request, reply) => await send(reply, 'errors', renderErrorsPage))

  app.get<{ Params: { code: string } }>('/errors/:code', { schema }, async (request, reply) => {
    const { code } = request.params
    if (!Object.hasOwn(ERRORS, code)) throw problem('not_found', `There is no error with the code "${code}".`)
    return await send(reply, `error ${code}`, () =>
      renderErrorPage(code as ErrorCode, app.problemExample(code as ErrorCode))
    )
  })
}
export default routes
