import type { FastifyReply } from 'fastify'
import { problem } from '../errors.ts'
import { JsonLimitError, stringifyInSlices } from '../lib/json-slices.ts'

/**
 * Serializes a value for `reply`, with pauses between the elements of its lists. Return the result
 * from the handler. Throws a JsonLimitError if it has more than `maxLength` characters.
 */
export async function jsonResponse(reply: FastifyReply, value: object, maxLength = Infinity): Promise<never> {
  const body = await stringifyInSlices(value, maxLength)
  reply.type('application/json; charset=utf-8')
  return body as never
}

/** Maximum length of a page of a list, in characters of JSON. */
const MAX_PAGE_LENGTH = 32_000_000

/**
 * Serializes a page of a list for `reply`, with pauses between its records: serializing megabytes at
 * once would block the event loop. Return the result from the handler. Throws `invalid_request` if
 * the page is too long.
 */
export async function listResponse(reply: FastifyReply, list: object): Promise<never> {
  try {
    return await jsonResponse(reply, list, MAX_PAGE_LENGTH)
  } catch (error) {
    if (!(error instanceof JsonLimitError)) throw error
    const message = `must be smaller: the page has more than ${MAX_PAGE_LENGTH / 1_000_000} million characters`
    throw problem('invalid_request', `pageSize ${message}.`, {
      errors: [{ pointer: 'pageSize', code: 'too_much_content', message }],
      cause: error
    })
  }
}
