import { randomBytes } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { FastifyPluginAsync, FastifyReply } from 'fastify'
import { problem } from '../../errors.ts'
import { createDocuments, sendDocument } from '../documents.ts'
import { renderReferencePage } from './pages/reference.ts'

/** The package of the reference. It is resolved and read, but never imported: it runs in browsers only. */
const PACKAGE = fileURLToPath(new URL('..', import.meta.resolve('@scalar/api-reference')))
/** The prebuilt modules of the reference for browsers. The names of the chunks contain a digest. */
const MODULES = path.join(PACKAGE, 'dist', 'browser')
const ASSETS = path.join(import.meta.dirname, 'assets', 'reference')

const YEAR_SECONDS = 365 * 86_400

/**
 * The reference runs its own modules, sends requests to this server only, and loads nothing from elsewhere.
 * Its style elements carry the nonce of the page. Style attributes are allowed: its markup of samples contains some.
 */
const contentSecurityPolicy = (nonce: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'"
  ].join('; ')

/** The interactive API reference at /docs/api. */
const routes: FastifyPluginAsync = async (app) => {
  const schema = { hide: true } as object
  const { version } = JSON.parse(await readFile(path.join(PACKAGE, 'package.json'), 'utf8')) as { version: string }
  const modules = new Set(
    ['standalone.esm.js', ...(await readdir(path.join(MODULES, 'chunks'))).map((name) => `chunks/${name}`)].filter(
      (name) => name.endsWith('.js')
    )
  )
  const documents = createDocuments()

  app.addHook('onRequest', async (_request, reply) => {
    reply.headers({ 'referrer-policy': 'same-origin', 'cross-origin-opener-policy': 'same-origin' })
  })

  app.get('/api', { schema }, async (_request, reply) => {
    const nonce = randomBytes(16).toString('base64url')
    return await reply
      .type('text/html; charset=utf-8')
      .headers({ 'content-security-policy': contentSecurityPolicy(nonce), 'cache-control': 'no-store' })
      .send(renderReferencePage({ nonce, modules: `/docs/reference/${version}` }))
  })

  async function sendFile(reply: FastifyReply, file: string): Promise<FastifyReply> {
    const document = await documents(file, () => readFile(file))
    const type = file.endsWith('.css') ? 'text/css' : 'text/javascript'
    return sendDocument(reply.type(`${type}; charset=utf-8`).header('vary', 'Accept-Encoding'), document)
  }

  app.get<{ Params: { '*': string } }>(`/reference/${version}/*`, { schema }, async (request, reply) => {
    const name = request.params['*']
    if (!modules.has(name)) throw problem('not_found', `The API reference has no file "${name}".`)
    reply.header('cache-control', `public, max-age=${YEAR_SECONDS}, immutable`)
    return await sendFile(reply, path.join(MODULES, name))
  })

  for (const name of ['reference.js', 'reference.css']) {
    app.get(`/${name}`, { schema }, async (_request, reply) => {
      return await sendFile(reply.header('cache-control', 'public, max-age=300'), path.join(ASSETS, name))
    })
  }
}
export default routes
