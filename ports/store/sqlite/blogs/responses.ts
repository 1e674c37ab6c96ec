import { createYielder } from '../../../../lib/async.ts'
import { compareText } from '../../../../lib/text.ts'
import type { BlogSort } from '../../../../schemas/blog.ts'
import type { BlogFilter, BlogResponseStore, PublishedBlog } from '../../port.ts'
import type { Database } from '../database.ts'
import { ORDER_COLUMNS } from './orders.ts'
import type { BlogPages } from './pages.ts'

interface NamedRow extends PublishedBlog {
  language: string
  publishedAt: string
}

interface FoundRow extends NamedRow, ContentRow {}

/** All are null if the blog has no current response with its content. */
interface ContentRow {
  basis: string
  item: Uint8Array
  etag: string
  body: Uint8Array | null
  br: Uint8Array | null
  gzip: Uint8Array | null
}

interface ListedRow extends PublishedBlog {
  sortValue: string | null
  basis: string | null
  json: Uint8Array | null
}

const PUBLISHED =
  'b.id, b.project_id AS projectId, b.version, b.updated_at AS updatedAt, b.translation_key AS translationKey'

/**
 * Complete statements, because building one takes longer than running it. Without the name of the index, and without
 * statistics, SQLite would choose the index that is in order of publication, and read all blogs.
 */
const findBy = (column: 'slug' | 'id', selected: string): string =>
  `SELECT ${PUBLISHED}, b.language, b.published_at AS publishedAt${selected}
   FROM blogs b ${column === 'slug' ? 'INDEXED BY blogs_by_slug' : ''}
   LEFT JOIN blog_responses r
     ON r.n = b.n AND r.version = b.version AND r.updated_at = b.updated_at AND r.body IS NOT NULL
   WHERE b.account_id = ? AND b.${column} = ? AND b.status = 'published'
     AND (? IS NULL OR b.project_id = ?)
     AND (? IS NULL OR b.project_id IN (SELECT value FROM json_each(?)))`
const CONTENT = ', r.basis, r.item, r.etag, r.br, r.gzip, r.body'
/** Nearly always, one blog has the slug. A thousand projects may have one with it, each of megabytes. */
const FIND_BY_SLUG = `${findBy('slug', CONTENT)} LIMIT 2`
const FIND_ALL_BY_SLUG = findBy('slug', '')
const FIND_BY_ID = findBy('id', CONTENT)

/** As NEWEST_FIRST. */
const compareNewestFirst = (one: NamedRow, other: NamedRow): number =>
  compareText(other.publishedAt, one.publishedAt) || compareText(other.id, one.id)

/** A view of the bytes, without copying them. */
const toBuffer = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)

const toPrepared = ({ basis, item, etag, body, br, gzip }: ContentRow) =>
  body && {
    basis,
    item: toBuffer(item),
    content: { etag, body: toBuffer(body), br: br && toBuffer(br), gzip: gzip && toBuffer(gzip) }
  }

/** Prepared responses, in a table of their own: other reads of blogs do not touch their bytes. */
export function createBlogResponses(db: Database, pages: BlogPages): BlogResponseStore {
  /** Null for a blog that is deleted or was unpublished. */
  function findListed(n: number, sort: BlogSort, withBody: boolean): ListedRow | null {
    const row = db.one<ListedRow>(
      `SELECT ${PUBLISHED}, ${ORDER_COLUMNS[sort].column} AS sortValue, r.basis, r.${withBody ? 'body' : 'item'} AS json
       FROM blogs b
       LEFT JOIN blog_responses r ON r.n = b.n AND r.version = b.version AND r.updated_at = b.updated_at
       WHERE b.n = ? AND b.status = 'published'`,
      n
    )
    return row ?? null
  }

  return {
    find: async ({ accountId, projectIds, projectId = null }, address) => {
      const scope = projectIds && JSON.stringify(projectIds)
      const values = (name: string) => [accountId, name, projectId, projectId, scope, scope] as const
      const found =
        'slug' in address
          ? db.all<FoundRow>(FIND_BY_SLUG, ...values(address.slug))
          : db.all<FoundRow>(FIND_BY_ID, ...values(address.id))
      const [first, ...others] =
        'slug' in address && found.length > 1
          ? db.all<NamedRow>(FIND_ALL_BY_SLUG, ...values(address.slug)).sort(compareNewestFirst)
          : found
      if (first === undefined) return null
      const newest = found.find((row) => row.id === first.id) ?? db.one<FoundRow>(FIND_BY_ID, ...values(first.id))!
      const { id, version, updatedAt, translationKey, language } = newest
      return {
        id,
        projectId: newest.projectId,
        version,
        updatedAt,
        translationKey,
        language,
        prepared: toPrepared(newest),
        otherProjects: others.map((other) => other.projectId).sort(compareText)
      }
    },
    list: async (published, page) => {
      const filter: BlogFilter = { ...published, status: 'published' }
      const { ns, totalCount } =
        'after' in page
          ? { ns: await pages.findAfter(filter, page.after, page.limit), totalCount: null }
          : await pages.findPage(
              filter,
              { skip: (page.page - 1) * page.pageSize, limit: page.pageSize },
              page.totalCount
            )
      const blogs: Awaited<ReturnType<BlogResponseStore['list']>>['blogs'] = []
      const pause = createYielder()
      for (const n of ns) {
        await pause()
        const row = findListed(n, filter.sort ?? '-publishedAt', page.withBody)
        if (row === null) continue
        const { basis, json, ...blog } = row
        blogs.push({ ...blog, prepared: basis === null || json === null ? null : { basis, json: toBuffer(json) } })
      }
      return { blogs, totalCount }
    },
    // Does not wait for the disk: a lost response is made again.
    save: async (prepared) =>
      db.relaxedTransaction(() => {
        for (const { accountId, id, version, updatedAt, basis, item, content } of prepared) {
          db.run(
            `INSERT INTO blog_responses (n, version, updated_at, basis, item, etag, br, gzip, body)
             SELECT n, version, updated_at, ?, ?, ?, ?, ?, ? FROM blogs
             WHERE id = ? AND account_id = ? AND version = ? AND updated_at = ? AND status = 'published'
             ON CONFLICT (n) DO UPDATE SET
               version = excluded.version, updated_at = excluded.updated_at, basis = excluded.basis,
               item = excluded.item, etag = excluded.etag, br = excluded.br, gzip = excluded.gzip, body = excluded.body
             WHERE excluded.body IS NOT NULL OR version <> excluded.version
               OR updated_at <> excluded.updated_at OR basis <> excluded.basis`,
            basis,
            item,
            content?.etag ?? null,
            content?.br ?? null,
            content?.gzip ?? null,
            content?.body ?? null,
            id,
            accountId,
            version,
            updatedAt
          )
        }
      })
  }
}
