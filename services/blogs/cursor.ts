import { problem, type ApiError } from '../../errors.ts'
import type { BlogPosition } from '../../ports/store/port.ts'
import type { BlogSort } from '../../schemas/blog.ts'

/** Increment when the content of cursors changes: older ones are then rejected. */
const VERSION = 1

/** The list that a cursor belongs to. `page` is the requested page, 1 if there is none. */
export interface CursorList {
  page: number
  sort: BlogSort | undefined
  isSearch: boolean
}

/** A cursor for the blogs after a position: opaque for clients, in characters that URLs need not escape. */
export function writeCursor({ value, id, inTitle }: BlogPosition, sort: BlogSort | undefined): string {
  const content = [VERSION, sort ?? null, value, id, ...(inTitle === undefined ? [] : [inTitle])]
  return Buffer.from(JSON.stringify(content)).toString('base64url')
}

/**
 * The position that a cursor names. Throws `invalid_request` for a cursor that this service did not
 * create, for one of a list in another order, and together with a page number.
 */
export function readCursor(cursor: string, { page, sort, isSearch }: CursorList): BlogPosition {
  if (page !== 1) throw invalid('page', 'not_allowed', 'must not be given together with `cursor`')
  const [version, sorted, value, id, inTitle] = parse(cursor)
  const isPosition = (typeof value === 'string' || value === null) && typeof id === 'string'
  if (version !== VERSION || !isPosition) {
    throw invalid('cursor', 'malformed', 'must be the `nextCursor` of an earlier response')
  }
  const needsTitle = isSearch && sort === undefined
  if (sorted !== (sort ?? null) || (typeof inTitle === 'boolean') !== needsTitle) {
    throw invalid('cursor', 'other_list', 'must be the `nextCursor` of a list with the same `q` and `sort`')
  }
  return { value, id, ...(typeof inTitle === 'boolean' ? { inTitle } : {}) }
}

function parse(cursor: string): unknown[] {
  try {
    const content: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    return Array.isArray(content) ? content : []
  } catch {
    return [] // Not a cursor of this service.
  }
}

function invalid(pointer: string, code: string, message: string): ApiError {
  return problem('invalid_request', `${pointer} ${message}.`, { errors: [{ pointer, code, message }] })
}
