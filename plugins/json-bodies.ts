import { isUtf8 } from 'node:buffer'
import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { problem } from '../errors.ts'

type JsonReader = (request: FastifyRequest, body: Buffer, done: (error: Error | null, body?: unknown) => void) => void

declare module 'fastify' {
  interface FastifyInstance {
    /**
     * A reader of JSON bodies that are parsed in this way; for a route whose numbers must keep
     * their digits. Register it with `parseAs: 'buffer'`.
     */
    jsonReader: (parse: (text: string) => unknown) => JsonReader
  }
}

/**
 * JSON bodies, taken at their word: in UTF-8 (RFC 8259, section 8.1) and not packed, or refused.
 * One that is empty is none, because many clients
 * name the type whether they send anything or not. Members `__proto__` are refused, as they could
 * end up in a prototype.
 */
export default fp(
  async (app) => {
    app.decorate('jsonReader', (parse) => (request, body, done) => {
      const packing = request.headers['content-encoding'] ?? 'identity'
      if (packing !== 'identity') {
        return done(
          problem('unsupported_media_type', `Content-Encoding ${packing} is not taken here; send the body as it is.`)
        )
      }
      if (body.length === 0) return done(null, undefined)
      if (!isUtf8(body)) return done(problem('malformed_json', 'The body is not encoded in UTF-8, as JSON is.'))
      try {
        done(null, parse(body.toString()))
      } catch (error) {
        done(
          error instanceof SyntaxError
            ? problem('malformed_json', `The body is not valid JSON: ${error.message}.`, { cause: error })
            : (error as Error)
        )
      }
    })
    app.removeContentTypeParser('application/json')
    app.addContentTypeParser('application/json', { parseAs: 'buffer' }, app.jsonReader(parseSafely))
  },
  { name: 'json-bodies' }
)

function parseSafely(text: string): unknown {
  // Only text that could name it pays for the look at every member.
  if (!text.includes('__proto__') && !text.includes('\\u')) return JSON.parse(text)
  return JSON.parse(text, (name, value: unknown) => {
    if (name === '__proto__') throw new SyntaxError('a member is named __proto__')
    return value
  })
}
