import { isUtf8 } from 'node:buffer'
import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { problem } from '../errors.ts'
import { createYielder, runAsOwner } from '../lib/async.ts'
import { networkOf } from '../lib/http/client-network.ts'
import { checkJsonLimits, JsonLimitError, parseJsonInSlices } from '../lib/json-slices.ts'

/** Smaller bodies are parsed in one step. */
const SLICED_BYTES = 65_536
const LIMITS = { maxDepth: 100, maxValues: 20_000, maxElements: 100_000 }

type JsonParser = (request: FastifyRequest, body: Buffer, done: (error: Error | null, body?: unknown) => void) => void

declare module 'fastify' {
  interface FastifyInstance {
    /**
     * A content type parser for JSON with a custom parse function. Register it with
     * `parseAs: 'buffer'`. Product routes use it to keep all digits of numbers.
     */
    createJsonParser: (parse: (text: string) => unknown) => JsonParser
  }
}

/**
 * Parses JSON bodies. They must be UTF-8 (RFC 8259, section 8.1) and uncompressed. An empty body
 * counts as no body, because many clients always send a Content-Type. Members named `__proto__` are
 * rejected to prevent prototype pollution. Bodies that arrive in the same turn of the event loop share
 * its time: large ones are parsed in slices, and accounts take turns, so that other requests do not
 * wait. On routes for API keys, a body without a Content-Type or with text/plain is read as JSON: the API
 * does not ask for the header there. The credential is a header that browsers do not send by themselves,
 * so a page of another origin gains nothing by it.
 */
export default fp(
  async (app) => {
    app.decorate('createJsonParser', (parse) => (request, body, done) => {
      const encoding = request.headers['content-encoding'] ?? 'identity'
      if (encoding !== 'identity') {
        return done(
          problem(
            'unsupported_media_type',
            `The Content-Encoding ${encoding} is not supported. Send the body uncompressed.`
          )
        )
      }
      if (body.length === 0) return done(null, undefined)
      if (!isUtf8(body)) return done(problem('malformed_json', 'The body is not valid UTF-8.'))
      // Bodies arrive in the context of their connection, which belongs to no account.
      const { caller, ip } = request
      const owner = caller.kind === 'anonymous' ? `address ${networkOf(ip)}` : caller.accountId
      runAsOwner(owner, async () => await parseBody(body, parse)).then(
        (value) => done(null, value),
        (error: unknown) => done(toProblem(error))
      )
    })
    app.addHook('onRequest', (request, _reply, done) => {
      const { headers, routeConfig, routeOptions } = request
      if (
        routeConfig.access?.kind === 'key' &&
        routeOptions.schema?.body !== undefined &&
        (headers['content-type'] === undefined || /^text\/plain\s*(;|$)/i.test(headers['content-type']))
      ) {
        headers['content-type'] = 'application/json'
      }
      done()
    })
    app.removeContentTypeParser('application/json')
    app.addContentTypeParser('application/json', { parseAs: 'buffer' }, app.createJsonParser(parseSafely))
  },
  { name: 'json-bodies', dependencies: ['auth', 'request-context'] }
)

const pause = createYielder()

async function parseBody(body: Buffer, parse: (text: string) => unknown): Promise<unknown> {
  if (body.length > SLICED_BYTES) return await parseJsonInSlices(body, parse, LIMITS)
  // Hundreds of connections may complete their bodies in one turn. Parsing, validation and the handler's
  // first steps follow this pause, and count toward the time of the turn.
  await pause()
  checkJsonLimits(body, LIMITS)
  return parse(body.toString())
}

function toProblem(error: unknown): Error {
  if (error instanceof SyntaxError) {
    return problem('malformed_json', `The body is not valid JSON: ${error.message}.`, { cause: error })
  }
  if (!(error instanceof JsonLimitError)) return error as Error
  return problem('content_too_complex', `The body ${error.message}.`, {
    errors: [{ pointer: '', code: 'too_complex', message: error.message }]
  })
}

/** An escape sequence of half a character. Bodies are UTF-8, so they contain unpaired halves only as such sequences. */
const SURROGATE = /\\u[dD][89a-fA-F]/

function parseSafely(text: string): unknown {
  const document: unknown = JSON.parse(text)
  // The name may contain escape sequences, and values may contain the name.
  if ((text.includes('__proto__') || text.includes('\\u')) && hasProtoMember(document)) {
    throw new SyntaxError('members must not be named __proto__')
  }
  return SURROGATE.test(text) ? toWellFormedValues(document) : document
}

/** Whether an object in the document has a member `__proto__`. A reviver would take ten times as long. */
function hasProtoMember(document: unknown): boolean {
  const pending = [document]
  for (let value = pending.pop(); value !== undefined; value = pending.pop()) {
    if (typeof value !== 'object' || value === null) continue
    if (Object.hasOwn(value, '__proto__')) return true
    for (const member of Object.values(value)) if (typeof member === 'object') pending.push(member)
  }
  return false
}

/**
 * Replaces unpaired surrogates in the values of a document by U+FFFD: UTF-8 has no bytes for them. Otherwise a store
 * would return another text than the response to the change, and parsers that reject their escape sequences, such as
 * PHP's, would reject every response that contains the text.
 */
function toWellFormedValues(document: unknown): unknown {
  if (typeof document === 'string') return document.toWellFormed()
  const pending = [document]
  for (let value = pending.pop(); value !== undefined; value = pending.pop()) {
    if (typeof value !== 'object' || value === null) continue
    const members = value as Record<string, unknown>
    for (const [name, member] of Object.entries(members)) {
      if (typeof member === 'string' && !member.isWellFormed()) members[name] = member.toWellFormed()
      else if (typeof member === 'object') pending.push(member)
    }
  }
  return document
}
