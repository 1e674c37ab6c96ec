import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { problem } from '../errors.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The claim that this request holds, until it is answered. */
    idempotencyScope: string | null
    /**
     * The digest of an upload that streams past under a claim; null until it has been read to its
     * end.
     */
    uploadDigest: (() => string | null) | null
  }
  interface FastifyContextConfig {
    /** Fields of the answer that are shown once and never replayed. */ shownOnce?: string[]
  }
}

const KEPT_HEADERS = ['content-type', 'location', 'etag', 'cache-control']
/** Under which an upload's digest is kept among the headers of its answer; it never leaves. */
const UPLOAD_DIGEST = 'x-upload-digest'

/**
 * A POST with an Idempotency-Key is done once: who sends it again gets the first answer
 * (draft-ietf-httpapi-idempotency-key-header).
 */
export default fp(
  async (app) => {
    const { idempotency } = app.services
    app.decorateRequest('idempotencyScope', null)
    app.decorateRequest('uploadDigest', null)

    app.addHook('preHandler', async (request, reply) => {
      const header = request.headers['idempotency-key']
      if (header === undefined || request.method !== 'POST' || request.caller.kind === 'anonymous') return
      const scope = `${request.caller.accountId} POST ${request.routeOptions.url} ${keyOf(header)}`
      const state = await idempotency.claim(scope, digest(request))
      switch (state.state) {
        case 'claimed':
          request.idempotencyScope = scope
          if (request.body instanceof Readable) watchUpload(request)
          return
        case 'running':
          throw problem(
            'request_in_progress',
            'The first request with this Idempotency-Key has not been answered yet.',
            { headers: { 'Retry-After': '1' } }
          )
        case 'reused':
          throw reused()
        case 'answered': {
          const { [UPLOAD_DIGEST]: uploaded, ...headers } = state.response.headers
          if (request.body instanceof Readable && uploaded !== (await digestOf(request.body))) throw reused()
          reply.code(state.response.status).headers(headers).header('idempotent-replayed', 'true')
          return await reply.serializer((body: string) => body).send(state.response.body)
        }
      }
    })

    app.addHook('onSend', async (request, reply, payload) => {
      const scope = request.idempotencyScope
      if (scope === null) return payload
      request.idempotencyScope = null
      // An answer of 5xx, one that time alone changes, or one to a request that did not come whole,
      // is no answer yet: the next one may try again.
      const uploaded = request.uploadDigest?.()
      // An upload that was refused before its end was not seen whole, so that nobody could tell the
      // same one again.
      if (
        uploaded === null ||
        reply.statusCode >= 500 ||
        [408, 409, 429].includes(reply.statusCode) ||
        (typeof payload !== 'string' && payload !== null && payload !== undefined)
      ) {
        await idempotency.release(scope)
        return payload
      }
      await idempotency.complete(scope, {
        status: reply.statusCode,
        headers: { ...keptHeaders(reply), ...(uploaded === undefined ? {} : { [UPLOAD_DIGEST]: uploaded }) },
        body: withoutSecrets(payload as string | null, request.routeConfig.shownOnce)
      })
      return payload
    })
  },
  { name: 'idempotency', dependencies: ['services', 'auth'] }
)

/** The key, bare: the draft writes it as a quoted string, many clients send it without quotes. */
function keyOf(header: string | string[]): string {
  const key = typeof header === 'string' ? header.replace(/^"(.*)"$/, '$1') : ''
  if (!/^[\x21-\x7e]{16,255}$/.test(key)) {
    throw problem('invalid_idempotency_key', 'The Idempotency-Key is not 16 to 255 visible ASCII characters.')
  }
  return key
}

/**
 * What makes two requests the same: address, query and body; the parts of a form are hashed one by
 * one, so that a picture is never written out as text.
 */
function digest({ body, url }: FastifyRequest): string {
  const sum = createHash('sha256').update(url)
  // An upload that streams past is compared when it has been read: see uploadDigest.
  if (body instanceof Readable) return sum.update('\nupload').digest('hex')
  const parts =
    body !== null && typeof body === 'object' && !Buffer.isBuffer(body) ? Object.entries(body) : [['', body] as const]
  for (const [name, value] of parts) {
    sum.update(`\n${name}\n`).update(Buffer.isBuffer(value) ? value : JSON.stringify(value ?? null))
  }
  return sum.digest('hex')
}

function keptHeaders(reply: FastifyReply): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const name of KEPT_HEADERS) {
    const value = reply.getHeader(name)
    if (typeof value === 'string') headers[name] = value
  }
  return headers
}

function withoutSecrets(body: string | null | undefined, shownOnce: string[] = []): string {
  if (body === null || body === undefined) return ''
  if (shownOnce.length === 0) return body
  return JSON.stringify(
    Object.fromEntries(Object.entries(JSON.parse(body) as object).filter(([name]) => !shownOnce.includes(name)))
  )
}

const reused = () =>
  problem('idempotency_key_reused', 'The Idempotency-Key belongs to a request with another address, query or body.')

/** Sums the upload up while its route reads it. */
function watchUpload(request: FastifyRequest): void {
  const sum = createHash('sha256')
  const source = request.body as Readable
  let digest: string | null = null
  request.body = Readable.from(
    (async function* () {
      for await (const chunk of source as AsyncIterable<Buffer>) {
        sum.update(chunk)
        yield chunk
      }
      digest = sum.digest('hex')
    })(),
    { objectMode: false }
  )
  request.uploadDigest = () => digest
}

async function digestOf(upload: Readable): Promise<string> {
  const sum = createHash('sha256')
  for await (const chunk of upload as AsyncIterable<Buffer>) sum.update(chunk)
  return sum.digest('hex')
}
