import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyPluginAsync } from 'fastify'
import { problem } from '../../errors.ts'
import { createDocuments, sendDocument } from '../documents.ts'

/** The files that `npm run console` builds from `console/src`. */
const FILES = path.join(import.meta.dirname, '..', '..', 'console', 'dist')

/** Pictures of products are on other servers. Screenshots are fetched with the credential, then shown as blobs. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' https: data: blob:",
  "connect-src 'self'",
  "frame-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'"
].join('; ')

/**
 * The page that shows an article in a site's style. It receives the article by postMessage and runs
 * without access to the console: the sandbox gives it an origin of its own.
 */
const PREVIEW_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'unsafe-inline'",
  "img-src 'self' https: data:",
  'frame-src https://www.youtube-nocookie.com https://player.vimeo.com',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
  'sandbox allow-scripts'
].join('; ')

const YEAR_SECONDS = 365 * 86_400
const MEDIA_TYPES: Partial<Record<string, string>> = { '.js': 'text/javascript', '.css': 'text/css' }

/** The console: a client of the public API in the browser. */
const routes: FastifyPluginAsync = async (app) => {
  const schema = { hide: true } as object
  const assets = new Set(await readdir(path.join(FILES, 'assets')))
  const documents = createDocuments()
  // Registered in this scope only: the documentation and Bull Board register their own instances.
  await app.register(fastifyStatic, { root: FILES, serve: false, cacheControl: false })

  app.addHook('onRequest', async (_request, reply) => {
    reply.headers({
      'content-security-policy': CONTENT_SECURITY_POLICY,
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin'
    })
  })

  // The names of the other files contain a digest of their contents.
  for (const [url, file, policy] of [
    ['/', 'index.html', CONTENT_SECURITY_POLICY],
    ['/preview.html', 'preview.html', PREVIEW_POLICY]
  ] as const) {
    app.get(url, { schema, config: { large: 'file' } }, async (_request, reply) => {
      return await reply.headers({ 'cache-control': 'no-cache', 'content-security-policy': policy }).sendFile(file)
    })
  }

  app.get<{ Params: { name: string } }>(
    '/assets/:name',
    { schema, config: { large: 'file' } },
    async (request, reply) => {
      const { name } = request.params
      if (!assets.has(name)) throw problem('not_found', `The console has no file "${name}".`)
      // The sandboxed preview has an opaque origin, and modules are loaded with CORS.
      reply.headers({
        'cache-control': `public, max-age=${YEAR_SECONDS}, immutable`,
        'access-control-allow-origin': '*'
      })
      const type = MEDIA_TYPES[path.extname(name)]
      if (type === undefined) return await reply.sendFile(`assets/${name}`)
      const document = await documents(name, () => readFile(path.join(FILES, 'assets', name)))
      return sendDocument(reply.type(`${type}; charset=utf-8`).header('vary', 'Accept-Encoding'), document)
    }
  )
}
export default routes
