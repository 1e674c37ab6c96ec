import type { BlogBody, BlogMetadata, BlogRecord } from '../port.ts'

export interface HeadRow {
  head: string
}
export interface WholeRow extends HeadRow {
  body: string
  vector: string
}

/** The tables of a whole blog, for a FROM clause; `b` is the blog. */
export const WHOLE = 'blogs b JOIN blog_bodies USING (n) JOIN blog_vectors USING (n)'
export const WHOLE_COLUMNS = 'b.head, body, vector'

export function headOf(row: HeadRow): BlogMetadata {
  return JSON.parse(row.head) as BlogMetadata
}

export function blogOf(row: WholeRow): BlogRecord {
  const body = JSON.parse(row.body) as Omit<BlogBody, 'vector'>
  return { ...headOf(row), body: { ...body, vector: JSON.parse(row.vector) as BlogBody['vector'] } }
}
