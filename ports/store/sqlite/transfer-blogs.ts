import type { BlogMetadata, BlogRecord, BlogTombstone, RelatedEntry, TransferRecord } from '../port.ts'
import { blogOf, WHOLE, WHOLE_COLUMNS, type WholeRow } from './blog-rows.ts'
import { createBlogRows } from './blogs-write.ts'
import type { Database } from './database.ts'
import type { RecordRow } from './records.ts'
import { recordMover, rowsAfter, type Movers } from './transfer-mover.ts'

interface RelatedRow {
  id: string
  accountId: string
  related: string
}
type Mark = TransferRecord<'pendingRelated'>
const MARK = 'SELECT account_id AS accountId, blog_id AS id, version FROM related_marks WHERE'
const ADD_MARK = `INSERT INTO related_marks (account_id, blog_id, version)
  SELECT ?1, ?2, ?3 WHERE EXISTS (SELECT 1 FROM blogs WHERE id = ?2) OR EXISTS (SELECT 1 FROM tombstones WHERE id = ?2)`
const RELATED = 'SELECT b.id, b.account_id AS accountId, r.related FROM blogs b JOIN blog_related r USING (n) WHERE'

/**
 * Moves blogs and what hangs on them. Their words, tags and the slugs that they gave up are made of
 * them again.
 */
export function createBlogMovers(
  db: Database
): Pick<Movers, 'blog' | 'tombstone' | 'pendingRelated' | 'related' | 'image'> {
  const rows = createBlogRows(db)
  const blogs = (where: string, ...values: string[]) =>
    db.all<WholeRow>(`SELECT ${WHOLE_COLUMNS} FROM ${WHOLE} WHERE ${where}`, ...values).map(blogOf)
  const relatedOf = ({ id, accountId, related }: RelatedRow) => ({
    accountId,
    id,
    related: JSON.parse(related) as RelatedEntry[]
  })
  const inSlug = ({ accountId, slug, id }: BlogMetadata) =>
    blogs('b.account_id = ? AND b.slug = ? AND b.id <> ?', accountId, slug, id)
  const tombstones = recordMover<BlogTombstone>(db, { table: 'tombstones', key: { id: 'id' } })
  const buried = ({ id }: BlogRecord) =>
    db
      .all<RecordRow>('SELECT record FROM tombstones WHERE id = ?', id)
      .map(({ record }) => JSON.parse(record) as BlogRecord)

  return {
    blog: {
      position: ({ id }) => [id],
      page: (after, limit) =>
        rowsAfter<WholeRow>(
          db,
          { select: `SELECT ${WHOLE_COLUMNS} FROM ${WHOLE} WHERE 1`, columns: ['b.id'] },
          { after, limit }
        ).map(blogOf),
      near: (blog) => [...blogs('b.id = ?', blog.id), ...inSlug(blog), ...buried(blog)],
      insert: (blog) => rows.write(blog)
    },
    pendingRelated: {
      position: ({ accountId, id }) => [accountId, id],
      page: (after, limit) =>
        rowsAfter<Mark>(db, { select: `${MARK} 1`, columns: ['account_id', 'blog_id'] }, { after, limit }).map(
          (row) => ({ ...row })
        ),
      near: ({ accountId, id }) =>
        db.all<Mark>(`${MARK} account_id = ? AND blog_id = ?`, accountId, id).map((row) => ({ ...row })),
      insert: ({ accountId, id, version }) => db.run(ADD_MARK, accountId, id, version) === 1
    },
    related: {
      position: ({ id }) => [id],
      page: (after, limit) =>
        rowsAfter<RelatedRow>(db, { select: `${RELATED} 1`, columns: ['b.id'] }, { after, limit }).map(relatedOf),
      near: ({ id }) => db.all<RelatedRow>(`${RELATED} b.id = ?`, id).map(relatedOf),
      insert: ({ accountId, id, related }) =>
        db.run(
          'INSERT INTO blog_related (n, related) SELECT n, ? FROM blogs WHERE id = ? AND account_id = ?',
          JSON.stringify(related),
          id,
          accountId
        ) === 1
    },
    tombstone: {
      ...tombstones,
      // One that was deleted while it was moved lives on, as it was read.
      insert: (tombstone) => {
        if (db.one('SELECT n FROM blogs WHERE id = ?', tombstone.id) !== undefined) return false
        rows.addTombstone(tombstone)
        return true
      }
    },
    image: recordMover(db, {
      table: 'images',
      key: { blog_id: 'blogId', filename: 'filename' },
      others: ({ accountId, createdAt }) => ({ account_id: accountId, created_at: createdAt })
    })
  }
}
