import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { refuse } from '../errors.ts'

declare module 'fastify' {
  interface FastifyRequest { /** The claim that this request holds, until it is answered. */ idempotencyScope: string | null }
  interface FastifyContextConfig { /** Fields of the answer that are shown once and never replayed. */ shownOnce?: string[] }
}

const KEPT_HEADERS = ['content-type', 'location', 'etag', 'cache-control']

/** A POST with an Idempotency-Key is done once: who sends it again gets the first answer (draft-ietf-httpapi-idempotency-key-header). */
export default fp(async (app) => {
  const { idempotency } = app.services
  app.decorateRequest('idempotencyScope', null)

  app.addHook('preHandler', async (request, reply) => {
    const header = request.headers['idempotency-key']
    if (header === undefined || request.method !== 'POST' || request.caller.kind === 'anonymous') return
    const scope = `${request.caller.accountId} POST ${request.routeOptions.url} ${keyOf(header)}`
    const state = await idempotency.claim(scope, digest(request))
    switch (state.state) {
      case 'claimed': request.idempotencyScope = scope; return
      case 'running': throw refuse('request_in_progress', 'The first request with this Idempotency-Key has not been answered yet.', { headers: { 'Retry-After': '1' } })
      case 'reused': throw refuse('idempotency_key_reused', 'The Idempotency-Key belongs to a request with another address, query or body.')
      case 'answered': {
        reply.code(state.answer.status).headers(state.answer.headers).header('idempotent-replayed', 'true')
        return await reply.serializer((body: string) => body).send(state.answer.body)
      }
    }
  })

  app.addHook('onSend', async (request, reply, payload) => {
    const scope = request.idempotencyScope
    if (scope === null) return payload
    request.idempotencyScope = null
    // An answer of 5xx, one that time alone changes, or one to a request that did not come whole, is no answer yet: the next one may try again.
    if (reply.statusCode >= 500 || [408, 409, 429].includes(reply.statusCode) || (typeof payload !== 'string' && payload !== null && payload !== undefined)) {
      await idempotency.release(scope)
      return payload
    }
    await idempotency.answer(scope, { status: reply.statusCode, headers: keptHeaders(reply), body: withoutSecrets(payload as string | null, request.routeConfig.shownOnce) })
    return payload
  })
}, { name: 'idempotency', dependencies: ['services', 'admission'] })

/** The key, bare: the draft writes it as a quoted string, many clients send it without quotes. */
function keyOf (header: string | string[]): string {
  const key = typeof header === 'string' ? header.replace(/^"(.*)"$/, '$1') : ''
  if (!/^[\x21-\x7e]{16,255}$/.test(key)) throw refuse('invalid_idempotency_key', 'The Idempotency-Key is not 16 to 255 visible ASCII characters.')
  return key
}

/** What makes two requests the same: address, query and body; the parts of a form are hashed one by one, so that a picture is never written out as text. */
function digest ({ body, url, headers }: FastifyRequest): string {
  const sum = createHash('sha256').update(url)
  // An upload that streams past is known by its length alone, as far as that was told.
  if (body instanceof Readable) return sum.update(`\nstream ${headers['content-length'] ?? ''}`).digest('hex')
  const parts = body !== null && typeof body === 'object' && !Buffer.isBuffer(body) ? Object.entries(body) : [['', body] as const]
  for (const [name, value] of parts) sum.update(`\n${name}\n`).update(Buffer.isBuffer(value) ? value : JSON.stringify(value ?? null))
  return sum.digest('hex')
}

function keptHeaders (reply: FastifyReply): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const name of KEPT_HEADERS) {
    const value = reply.getHeader(name)
    if (typeof value === 'string') headers[name] = value
  }
  return headers
}

function withoutSecrets (body: string | null | undefined, shownOnce: string[] = []): string {
  if (body === null || body === undefined) return ''
  if (shownOnce.length === 0) return body
  return JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(body) as object).filter(([name]) => !shownOnce.includes(name))))
}
