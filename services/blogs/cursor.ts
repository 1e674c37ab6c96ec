import { problem, type ApiError } from '../../errors.ts'
import type { BlogPosition, RemovalPosition } from '../../ports/store/port.ts'
import type { BlogSort } from '../../schemas/blog.ts'

/** Increment when the content of cursors changes: older ones are then rejected. */
const VERSION = 1
/** The version of cursors that also name a place among the removed blogs, before the other members. */
const VERSION_REMOVED = 'removed-1'

/** The list that a cursor belongs to. `page` is the requested page, 1 if there is none. */
export interface CursorList {
  page: number
  sort: BlogSort | undefined
  isSearch: boolean
}

/** Where a list goes on. */
export interface ListPosition {
  /** Null: after the last blog. */
  after: BlogPosition | null
  /** Null: at the first of the removed blogs. */
  removedAfter: RemovalPosition | null
}

/** A cursor for what follows a position: opaque for clients, in characters that URLs need not escape. */
export function writeCursor({ after, removedAfter }: ListPosition, sort: BlogSort | undefined): string {
  const { value = null, id = null, inTitle } = after ?? {}
  const content = [VERSION, sort ?? null, value, id, ...(inTitle === undefined ? [] : [inTitle])]
  const complete = removedAfter === null ? content : [VERSION_REMOVED, removedAfter.at, removedAfter.id, ...content]
  return Buffer.from(JSON.stringify(complete)).toString('base64url')
}

/**
 * The position that a cursor names. Throws `invalid_request` for a cursor that this service did not
 * create, for one of a list in another order, and together with a page number.
 */
export function readCursor(cursor: string, { page, sort, isSearch }: CursorList): ListPosition {
  if (page !== 1) throw invalid('page', 'not_allowed', 'must not be given together with `cursor`')
  const content = parse(cursor)
  const removedAfter = content[0] === VERSION_REMOVED ? toRemovalPosition(content[1], content[2]) : null
  const [version, sorted, value, id, inTitle] = removedAfter === null ? content : content.slice(3)
  const isEnd = removedAfter !== null && value === null && id === null
  const isPosition = (typeof value === 'string' || value === null) && typeof id === 'string'
  if (version !== VERSION || !(isEnd || isPosition)) {
    throw invalid('cursor', 'malformed', 'must be the `nextCursor` of an earlier response')
  }
  const needsTitle = !isEnd && isSearch && sort === undefined
  if (sorted !== (sort ?? null) || (typeof inTitle === 'boolean') !== needsTitle) {
    throw invalid('cursor', 'other_list', 'must be the `nextCursor` of a list with the same `q` and `sort`')
  }
  if (!isPosition) return { after: null, removedAfter }
  return { after: { value, id, ...(typeof inTitle === 'boolean' ? { inTitle } : {}) }, removedAfter }
}

function toRemovalPosition(at: unknown, id: unknown): RemovalPosition | null {
  return typeof at === 'string' && typeof id === 'string' ? { at, id } : null
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
