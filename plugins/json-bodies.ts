import { isUtf8 } from 'node:buffer'
import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { problem } from '../errors.ts'
import { runAsOwner } from '../lib/async.ts'
import { checkJsonLimits, JsonLimitError, parseJsonInSlices } from '../lib/json-slices.ts'

/** Smaller bodies are parsed at once. */
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
 * rejected to prevent prototype pollution. Large bodies are parsed in slices, so that other requests
 * do not wait, and accounts take turns. On routes for API keys, a body without a Content-Type or
 * with text/plain is read as JSON: the API does not ask for the header there. The credential is a
 * header that browsers do not send by themselves, so a page of another origin gains nothing by it.
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
      if (body.length > SLICED_BYTES) {
        // Bodies arrive in the context of their connection, which belongs to no account.
        const { caller } = request
        const parseLarge = () => parseJsonInSlices(body, parse, LIMITS)
        const parsing = caller.kind === 'anonymous' ? parseLarge() : runAsOwner(caller.accountId, parseLarge)
        parsing.then(
          (value) => done(null, value),
          (error: unknown) => done(toProblem(error))
        )
        return
      }
      try {
        checkJsonLimits(body, LIMITS)
        done(null, parse(body.toString()))
      } catch (error) {
        done(toProblem(error))
      }
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

function toProblem(error: unknown): Error {
  if (error instanceof SyntaxError) {
    return problem('malformed_json', `The body is not valid JSON: ${error.message}.`, { cause: error })
  }
  if (!(error instanceof JsonLimitError)) return error as Error
  return problem('content_too_complex', `The body ${error.message}.`, {
    errors: [{ pointer: '', code: 'too_complex', message: error.message }]
  })
}

function parseSafely(text: string): unknown {
  // The reviver is slow, so it runs only for text that may contain the name.
  if (!text.includes('__proto__') && !text.includes('\\u')) return JSON.parse(text)
  return JSON.parse(text, (name, value: unknown) => {
    if (name === '__proto__') throw new SyntaxError('members must not be named __proto__')
    return value
  })
}
