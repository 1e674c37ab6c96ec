import { Type } from '@sinclair/typebox'

/** The query every list takes. Out of range is refused, never clamped. */
export const PageQuery = {
  page: Type.Integer({
    minimum: 1,
    maximum: 1_000_000,
    default: 1,
    description: 'Page number, from 1. A page past the end is an empty list with true totals.'
  }),
  pageSize: Type.Integer({ minimum: 1, maximum: 100, default: 20, description: 'How many on a page.' })
}

/** The totals every list answers. */
export const PageTotals = {
  totalCount: Type.Integer({ minimum: 0 }),
  page: Type.Integer({ minimum: 1 }),
  totalPages: Type.Integer({ minimum: 0 })
}

/** Which page of a list is asked for. */
export interface Page {
  page: number
  pageSize: number
}
