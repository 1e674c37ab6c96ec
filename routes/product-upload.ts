import type { Readable } from 'node:stream'
import { Type } from '@sinclair/typebox'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { problem } from '../errors.ts'
import type { ImportFormat } from '../schemas/product-import.ts'

const NDJSON = ['application/x-ndjson', 'application/ndjson', 'application/jsonl']
const CSV = ['text/csv', 'text/tab-separated-values']
/** The documented media types of product files. */
export const UPLOAD_TYPES = ['application/x-ndjson', 'text/csv']

/** How long an upload waits for others of its account, in milliseconds: the client would have to send it again. */
export const UPLOAD_MAX_WAIT_MS = 60_000

/** The query parameters of an upload, without the project. */
export const uploadQuery = {
  map: Type.Optional(
    Type.Array(Type.String({ pattern: '^.+:[^:]+$', maxLength: 500 }), {
      maxItems: 200,
      description:
        'Assigns a CSV column to a field, such as `Artikelnummer:externalId`. Repeat it for each column. ' +
        'Fields are those of a product, and `attributes.<name>`'
    })
  )
}

/**
 * The columns of the query by their field. Throws `invalid_request` for a column that is named
 * twice.
 */
export function parseColumnMapping(map: string[] | undefined): Record<string, string> | null {
  if (map === undefined || map.length === 0) return null
  const pairs = map.map(
    (pair) => [pair.slice(0, pair.lastIndexOf(':')), pair.slice(pair.lastIndexOf(':') + 1)] as const
  )
  const mapping = Object.fromEntries(pairs)
  if (Object.keys(mapping).length < pairs.length) {
    throw problem('invalid_request', '`map` assigns a column twice.', {
      errors: [{ pointer: 'map', code: 'repeated', message: 'must assign each column once' }]
    })
  }
  return mapping
}

/**
 * Lets the routes of this scope take files as streams, packed or not; returns what tells the format
 * of one.
 */
export function acceptUploads(app: FastifyInstance): (request: FastifyRequest) => ImportFormat {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    [...NDJSON, ...CSV],
    (_request: FastifyRequest, body: Readable, done: (error: Error | null, body?: Readable) => void) => {
      done(null, body)
    }
  )
  return ({ headers, body }) => {
    const encoding = headers['content-encoding'] ?? 'identity'
    if (!['identity', 'gzip', 'x-gzip'].includes(encoding)) {
      throw problem('unsupported_media_type', `The Content-Encoding ${encoding} is not supported. Use gzip or none.`)
    }
    if (body === undefined || body === null) {
      throw problem('malformed_import', 'The body is empty. Send the file as the body.')
    }
    const type = (headers['content-type'] ?? '').split(';')[0]!.trim().toLowerCase()
    return CSV.includes(type) ? 'csv' : 'ndjson'
  }
}
