import type { BlogBody, BlogMetadata, BlogRecord } from '../../port.ts'

export interface MetadataRow {
  metadata: string
}
export interface BlogRow extends MetadataRow {
  body: string
  vector: string
}

/** The tables of complete blogs, for a FROM clause. `b` is the blog. */
export const BLOG_TABLES = 'blogs b JOIN blog_bodies USING (n) JOIN blog_vectors USING (n)'
export const BLOG_COLUMNS = 'b.metadata, body, vector'

export function toMetadata(row: MetadataRow): BlogMetadata {
  return JSON.parse(row.metadata) as BlogMetadata
}

export function toBlog(row: BlogRow): BlogRecord {
  const body = JSON.parse(row.body) as Omit<BlogBody, 'vector'>
  return { ...toMetadata(row), body: { ...body, vector: JSON.parse(row.vector) as BlogBody['vector'] } }
}
