import { Type } from '@sinclair/typebox'

/** The query of every list. Values out of range are rejected. */
export const PageQuery = {
  page: Type.Integer({
    minimum: 1,
    maximum: 1_000_000,
    default: 1,
    description: 'The page number, from 1. A page past the end is empty'
  }),
  pageSize: Type.Integer({ minimum: 1, maximum: 100, default: 20, description: 'The number of items per page' })
}

/** The totals of every list. */
export const PageTotals = {
  totalCount: Type.Integer({ minimum: 0 }),
  page: Type.Integer({ minimum: 1 }),
  totalPages: Type.Integer({ minimum: 0 })
}

/** The requested page of a list. */
export interface Page {
  page: number
  pageSize: number
}
