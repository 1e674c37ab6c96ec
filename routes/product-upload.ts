import type { Readable } from 'node:stream'
import { Type } from '@sinclair/typebox'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { problem } from '../errors.ts'
import type { ImportFormat } from '../schemas/product-import.ts'

const NDJSON = ['application/x-ndjson', 'application/ndjson', 'application/jsonl']
const CSV = ['text/csv', 'text/tab-separated-values']
/** What a file of products may be declared as; the first of each is the usual one. */
export const UPLOAD_TYPES = ['application/x-ndjson', 'text/csv']

/** The query of an upload, besides the project. */
export const uploadQuery = {
  map: Type.Optional(
    Type.Array(Type.String({ pattern: '^.+:[^:]+$', maxLength: 500 }), {
      maxItems: 200,
      description:
        'For a CSV with columns of its own, once a column: `Artikelnummer:externalId`; fields are those of a product, and `attributes.<name>`'
    })
  )
}

/**
 * The columns of the query by their field. Throws `invalid_request` for a column that is named
 * twice.
 */
export function mappingOf(map: string[] | undefined): Record<string, string> | null {
  if (map === undefined || map.length === 0) return null
  const pairs = map.map(
    (pair) => [pair.slice(0, pair.lastIndexOf(':')), pair.slice(pair.lastIndexOf(':') + 1)] as const
  )
  const mapping = Object.fromEntries(pairs)
  if (Object.keys(mapping).length < pairs.length) {
    throw problem('invalid_request', 'map names a column twice.', {
      errors: [{ pointer: 'map', code: 'repeated', message: 'must name each column once' }]
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
      throw problem(
        'unsupported_media_type',
        `Content-Encoding ${encoding} is not taken; send gzip, or the file as it is.`
      )
    }
    if (body === undefined || body === null) throw problem('malformed_import', 'There is no file in the body.')
    const type = (headers['content-type'] ?? '').split(';')[0]!.trim().toLowerCase()
    return CSV.includes(type) ? 'csv' : 'ndjson'
  }
}
