import { createYielder } from '../../../../lib/async.ts'
import type { BlogMetadata, BlogRecord, BlogStore } from '../../port.ts'
import type { Database } from '../database.ts'
import { inScope } from '../sql.ts'
import type { BlogPages } from './pages.ts'
import { BLOG_COLUMNS, BLOG_TABLES, toBlog, toMetadata, type BlogRow, type MetadataRow } from './rows.ts'

type ListedBlog = BlogMetadata & { body?: BlogRecord['body'] }

/** Lists of records. */
export function createBlogLists(
  db: Database,
  pages: BlogPages
): Pick<BlogStore, 'list' | 'listAfter' | 'findPublished'> {
  function findMetadata(n: number): BlogMetadata | null {
    const row = db.one<MetadataRow>('SELECT metadata FROM blogs WHERE n = ?', n)
    return row === undefined ? null : toMetadata(row)
  }
  function findBlog(n: number): BlogRecord | null {
    const row = db.one<BlogRow>(`SELECT ${BLOG_COLUMNS} FROM ${BLOG_TABLES} WHERE b.n = ?`, n)
    return row === undefined ? null : toBlog(row)
  }

  async function read(ns: number[], withBody: boolean): Promise<ListedBlog[]> {
    const blogs: ListedBlog[] = []
    const pause = createYielder()
    for (const n of ns) {
      await pause()
      const blog = withBody ? findBlog(n) : findMetadata(n)
      // Deleted during a pause.
      if (blog !== null) blogs.push(blog)
    }
    return blogs
  }

  return {
    list: async (filter, { page, pageSize, withBody }) => {
      const { ns, totalCount } = await pages.findPage(filter, { skip: (page - 1) * pageSize, limit: pageSize })
      return { blogs: await read(ns, withBody), totalCount }
    },
    listAfter: async (filter, { after, limit, withBody }) =>
      await read(await pages.findAfter(filter, after, limit), withBody),
    findPublished: async (scope, ids) => {
      const { sql, values } = inScope(scope, 'b')
      const published = db.all<{ n: number }>(
        `SELECT n FROM blogs b
         WHERE b.id IN (SELECT value FROM json_each(?)) AND b.status = 'published' AND ${sql}`,
        JSON.stringify(ids),
        ...values
      )
      const found: BlogMetadata[] = await read(
        published.map(({ n }) => n),
        false
      )
      // One may have changed during a pause.
      return found.filter(({ status }) => status === 'published')
    }
  }
}
