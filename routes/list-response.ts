import type { TSchema } from '@sinclair/typebox'
import type { FastifyReply } from 'fastify'
import { problem } from '../errors.ts'
import { JsonLimitError, stringifyInSlices } from '../lib/json-slices.ts'

/**
 * Serializes a value for `reply`, with pauses between the elements of its lists. Return the result
 * from the handler.
 */
export async function jsonResponse(reply: FastifyReply, value: object): Promise<never> {
  return sendJson(reply, await stringifyInSlices(value))
}

/** Maximum length of a page of a list, in characters of JSON. */
const MAX_PAGE_LENGTH = 32_000_000

/** The member of a list that contains its records, and the schema of a record. */
interface Records {
  name: string
  schema: TSchema
}

/**
 * Serializes a page of a list for `reply`, with pauses between its records: serializing megabytes at
 * once would block the event loop. Records that do not match their schema are left out. Return the
 * result from the handler. Throws `invalid_request` if the page is too long.
 */
export async function listResponse(reply: FastifyReply, list: object, records?: Records): Promise<never> {
  const omitted: { record: string; reason: string }[] = []
  const serialize = records && reply.compileSerializationSchema(records.schema)
  function stringify(element: unknown, name: string): string | null {
    if (serialize === undefined || name !== records?.name) return JSON.stringify(element)
    try {
      return serialize(element as Record<string, unknown>)
    } catch (error) {
      omitted.push({ record: String((element as { id?: unknown }).id), reason: String(error) })
      return null
    }
  }
  try {
    const body = await stringifyInSlices(list, { maxLength: MAX_PAGE_LENGTH, stringify })
    if (omitted.length > 0) reply.server.reportOmitted(omitted, reply)
    return sendJson(reply, body)
  } catch (error) {
    if (!(error instanceof JsonLimitError)) throw error
    const message = `must be smaller: the page has more than ${MAX_PAGE_LENGTH / 1_000_000} million characters`
    throw problem('invalid_request', `pageSize ${message}.`, {
      errors: [{ pointer: 'pageSize', code: 'too_much_content', message }],
      cause: error
    })
  }
}

/** Returns JSON in UTF-8 from a handler as it is, without serializing it. */
export function sendJson(reply: FastifyReply, body: Buffer): never {
  reply.type('application/json; charset=utf-8')
  return body as never
}
