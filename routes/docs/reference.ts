import { randomBytes } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { problem } from '../../errors.ts'
import { compressStream, isCompressible } from '../../lib/http/compression.ts'
import { encodedTag } from '../../lib/http/conditional.ts'
import { chooseEncoding } from '../../lib/http/negotiation.ts'
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

/** Compresses a file while it is sent. Other responses are compressed by the response cache. */
async function compressFile(request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<unknown> {
  const isFile =
    payload instanceof Readable && reply.statusCode === 200 && isCompressible(reply.getHeader('content-type'))
  if (!isFile) return payload
  reply.vary('Accept-Encoding')
  const coding = chooseEncoding(request.headers['accept-encoding'])
  if (coding === null) return payload
  reply.headers({ 'content-encoding': coding, etag: encodedTag(String(reply.getHeader('etag')), coding) })
  reply.removeHeader('content-length')
  return compressStream(payload, coding)
}

/** The interactive API reference at /docs/api. */
const routes: FastifyPluginAsync = async (app) => {
  const schema = { hide: true } as object
  const { version } = JSON.parse(await readFile(path.join(PACKAGE, 'package.json'), 'utf8')) as { version: string }
  const modules = new Set(
    ['standalone.esm.js', ...(await readdir(path.join(MODULES, 'chunks'))).map((name) => `chunks/${name}`)].filter(
      (name) => name.endsWith('.js')
    )
  )
  // Registered in this scope only: the pages of the documentation and Bull Board register their own instances.
  await app.register(fastifyStatic, { root: MODULES, serve: false, cacheControl: false })

  app.addHook('onRequest', async (_request, reply) => {
    reply.headers({ 'referrer-policy': 'same-origin', 'cross-origin-opener-policy': 'same-origin' })
  })
  app.addHook('onSend', compressFile)

  app.get('/api', { schema }, async (_request, reply) => {
    const nonce = randomBytes(16).toString('base64url')
    return await reply
      .type('text/html; charset=utf-8')
      .headers({ 'content-security-policy': contentSecurityPolicy(nonce), 'cache-control': 'no-store' })
      .send(renderReferencePage({ nonce, modules: `/docs/reference/${version}` }))
  })

  const sendModule = async (reply: FastifyReply, name: string): Promise<FastifyReply> => {
    if (!modules.has(name)) throw problem('not_found', `The API reference has no file "${name}".`)
    return await reply.header('cache-control', `public, max-age=${YEAR_SECONDS}, immutable`).sendFile(name)
  }
  app.get<{ Params: { '*': string } }>(`/reference/${version}/*`, { schema }, async (request, reply) => {
    return await sendModule(reply, request.params['*'])
  })

  for (const name of ['reference.js', 'reference.css']) {
    app.get(`/${name}`, { schema }, async (_request, reply) => {
      return await reply.header('cache-control', 'public, max-age=300').sendFile(name, ASSETS)
    })
  }
}
export default routes
