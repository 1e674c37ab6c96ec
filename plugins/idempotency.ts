import { createHash, hash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { problem } from '../errors.ts'
import { createYielder } from '../lib/async.ts'
import { createBody } from '../lib/http/request.ts'
import type { Caller } from '../services/auth/index.ts'
import type { ClaimedKey } from '../services/idempotency.ts'
import type { Operation } from '../services/ids.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The claim of this request, until its response. */
    idempotencyClaim: ClaimedKey | null
    /** The same at every attempt of a request with an Idempotency-Key. Undefined without a key. */
    operation: Operation | undefined
    /** The digest of a streamed upload. It returns null until the upload has been read. */
    uploadDigest: (() => string | null) | null
  }
  interface FastifyContextConfig {
    /** Response fields that are returned once and are missing from replayed responses. */
    shownOnce?: string[]
  }
}

const STORED_HEADERS = ['content-type', 'location', 'etag', 'cache-control']
/** Stores the digest of an upload with the response headers. It is never sent. */
const UPLOAD_DIGEST = 'x-upload-digest'

/**
 * Processes a POST request with an Idempotency-Key once. Retries receive the first response
 * (draft-ietf-httpapi-idempotency-key-header).
 */
export default fp(
  async (app) => {
    const { idempotency } = app.services
    const pause = createYielder()
    app.decorateRequest('idempotencyClaim', null)
    app.decorateRequest('uploadDigest', null)
    app.decorateRequest('operation')

    app.addHook('preHandler', async (request, reply) => {
      const header = request.headers['idempotency-key']
      if (header === undefined || request.method !== 'POST') return
      const { caller } = request
      if (caller.kind === 'anonymous') return
      const scope = `${callerScope(caller)} POST ${request.routeOptions.url} ${parseKey(header)}`
      const claim = { scope, accountId: caller.accountId }
      // A stored response may have megabytes.
      await pause()
      const state = await idempotency.claim(claim, requestDigest(request))
      switch (state.state) {
        case 'claimed':
          request.idempotencyClaim = claim
          request.operation = { id: state.operationId, isRetry: state.isRetry }
          if (request.body instanceof Readable) digestUpload(request)
          return
        case 'running':
          throw problem('request_in_progress', 'The first request with this Idempotency-Key is still in progress.', {
            headers: { 'Retry-After': '1' }
          })
        case 'reused':
          throw keyReused()
        case 'answered': {
          const { [UPLOAD_DIGEST]: uploaded, ...headers } = state.response.headers
          if (request.body instanceof Readable && uploaded !== (await digestStream(request.body))) throw keyReused()
          reply.code(state.response.status).headers(headers).header('idempotent-replayed', 'true')
          return await reply.serializer((body: string) => body).send(state.response.body)
        }
      }
    })

    app.addHook('onSend', async (request, reply, payload) => {
      const claim = request.idempotencyClaim
      if (claim === null) return payload
      request.idempotencyClaim = null
      // These responses are not final, so the next request is processed: 5xx, responses that may
      // change by themselves, and responses to incomplete requests.
      const uploaded = request.uploadDigest?.()
      // An upload that was rejected before its end has no digest to recognize a retry by.
      if (
        uploaded === null ||
        reply.statusCode >= 500 ||
        [408, 409, 429].includes(reply.statusCode) ||
        (typeof payload !== 'string' && payload !== null && payload !== undefined)
      ) {
        await idempotency.release(claim.scope)
        return payload
      }
      const response = {
        status: reply.statusCode,
        headers: { ...storedHeaders(reply), ...(uploaded === undefined ? {} : { [UPLOAD_DIGEST]: uploaded }) },
        body: withoutSecrets(payload as string | null, request.routeConfig.shownOnce)
      }
      await idempotency.complete(claim, response)
      return payload
    })
  },
  {
    name: 'idempotency',
    dependencies: ['services', 'auth', 'audit', 'durable-responses', 'request-concurrency', 'request-context']
  }
)

/**
 * Identifies the caller: responses of one API key or user are not replayed to another, which may
 * have access to less.
 */
function callerScope(caller: Exclude<Caller, { kind: 'anonymous' }>): string {
  switch (caller.kind) {
    case 'key':
      return `${caller.accountId} key ${caller.keyId}`
    case 'session':
      return `${caller.accountId} user ${hash('sha256', caller.userId, 'hex')}`
  }
}

/** The key without quotes. The draft requires a quoted string; many clients send a bare one. */
function parseKey(header: string | string[]): string {
  const key = typeof header === 'string' ? header.replace(/^"(.*)"$/, '$1') : ''
  if (!/^[\x21-\x7e]{16,255}$/.test(key)) {
    throw problem('invalid_idempotency_key', 'The Idempotency-Key must be 16 to 255 visible ASCII characters.')
  }
  return key
}

/**
 * A digest of the URL and the body, which identifies a request. The parts of a form are hashed one
 * by one, so that files are not converted to text.
 */
function requestDigest({ body, url }: FastifyRequest): string {
  const sum = createHash('sha256').update(url)
  // A streamed upload is compared after it has been read, see uploadDigest.
  if (body instanceof Readable) return sum.update('\nupload').digest('hex')
  const parts =
    body !== null && typeof body === 'object' && !Buffer.isBuffer(body) ? Object.entries(body) : [['', body] as const]
  for (const [name, value] of parts) {
    sum.update(`\n${name}\n`).update(Buffer.isBuffer(value) ? value : JSON.stringify(value ?? null))
  }
  return sum.digest('hex')
}

function storedHeaders(reply: FastifyReply): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const name of STORED_HEADERS) {
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

const keyReused = () =>
  problem('idempotency_key_reused', 'The Idempotency-Key was used with another URL, query or body.')

/** Computes the digest of the upload while the route reads it. */
function digestUpload(request: FastifyRequest): void {
  const sum = createHash('sha256')
  const source = request.body as Readable
  let digest: string | null = null
  request.body = createBody(
    (async function* () {
      for await (const chunk of source as AsyncIterable<Buffer>) {
        sum.update(chunk)
        yield chunk
      }
      digest = sum.digest('hex')
    })()
  )
  request.uploadDigest = () => digest
}

async function digestStream(upload: Readable): Promise<string> {
  const sum = createHash('sha256')
  for await (const chunk of upload as AsyncIterable<Buffer>) sum.update(chunk)
  return sum.digest('hex')
}
