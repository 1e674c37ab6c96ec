import { hreflangOf } from '../../../../lib/hreflang.ts'
import type { BlogMetadata, BlogRecord, BlogTombstone, RelatedEntry, TransferRecord } from '../../port.ts'
import { BLOG_COLUMNS, BLOG_TABLES, toBlog, type BlogRow } from '../blogs/rows.ts'
import { writeBlog, writeTombstone } from '../blogs/write.ts'
import type { Database } from '../database.ts'
import type { RecordRow } from '../sql.ts'
import { findAfter, transferTable, type KindTransfers } from './kind.ts'

type BlogKinds = 'blog' | 'tombstone' | 'pendingRelated' | 'related' | 'image'
type Pending = TransferRecord<'pendingRelated'>

interface RelatedRow {
  id: string
  accountId: string
  related: string
}

const SELECT_BLOG = `SELECT ${BLOG_COLUMNS} FROM ${BLOG_TABLES} WHERE`
const SELECT_PENDING = 'SELECT account_id AS accountId, blog_id AS id, version FROM pending_related WHERE'
const INSERT_PENDING = `
  INSERT INTO pending_related (account_id, blog_id, version)
  SELECT ?1, ?2, ?3
  WHERE EXISTS (SELECT 1 FROM blogs WHERE id = ?2) OR EXISTS (SELECT 1 FROM tombstones WHERE id = ?2)`
const SELECT_RELATED =
  'SELECT b.id, b.account_id AS accountId, r.related FROM blogs b JOIN blog_related r USING (n) WHERE'
const INSERT_RELATED = 'INSERT INTO blog_related (n, related) SELECT n, ? FROM blogs WHERE id = ? AND account_id = ?'

/** Blogs and what belongs to them. Search terms, tags and former slugs are derived again. */
export function createBlogTransfers(db: Database): Pick<KindTransfers, BlogKinds> {
  const findBlogs = (condition: string, ...values: string[]) =>
    db.all<BlogRow>(`${SELECT_BLOG} ${condition}`, ...values).map(toBlog)
  const findOthersWithSlug = ({ accountId, projectId, slug, id }: BlogMetadata) =>
    findBlogs('b.account_id = ? AND b.project_id = ? AND b.slug = ? AND b.id <> ?', accountId, projectId, slug, id)
  const findTranslations = ({ accountId, projectId, translationKey, locale, id }: BlogMetadata) =>
    translationKey === null
      ? []
      : findBlogs(
          'b.account_id = ? AND b.translation_key = ? AND b.project_id = ? AND b.hreflang = ? AND b.id <> ?',
          ...[accountId, translationKey, projectId, hreflangOf(locale), id]
        )
  const findTombstones = ({ id }: BlogRecord) =>
    db
      .all<RecordRow>('SELECT record FROM tombstones WHERE id = ?', id)
      .map(({ record }) => JSON.parse(record) as BlogRecord)
  const tombstones = transferTable<BlogTombstone>(db, { table: 'tombstones', key: { id: 'id' } })
  const toRelated = ({ id, accountId, related }: RelatedRow) => ({
    accountId,
    id,
    related: JSON.parse(related) as RelatedEntry[]
  })

  return {
    blog: {
      position: ({ id }) => [id],
      page: (after, limit) =>
        findAfter<BlogRow>(db, { select: `${SELECT_BLOG} 1`, columns: ['b.id'] }, { after, limit }).map(toBlog),
      findExisting: (blog) => [
        ...findBlogs('b.id = ?', blog.id),
        ...findOthersWithSlug(blog),
        ...findTranslations(blog),
        ...findTombstones(blog)
      ],
      insert: (blog) => writeBlog(db, blog)
    },
    tombstone: {
      position: tombstones.position,
      page: tombstones.page,
      findExisting: tombstones.findExisting,
      // A blog that was deleted during the transfer has been transferred already. It stays as it is.
      insert: (tombstone) => {
        if (db.one('SELECT n FROM blogs WHERE id = ?', tombstone.id) !== undefined) return false
        writeTombstone(db, tombstone)
        return true
      }
    },
    pendingRelated: {
      position: ({ accountId, id }) => [accountId, id],
      page: (after, limit) => {
        const select = { select: `${SELECT_PENDING} 1`, columns: ['account_id', 'blog_id'] }
        return findAfter<Pending>(db, select, { after, limit }).map((row) => ({ ...row }))
      },
      findExisting: ({ accountId, id }) =>
        db.all<Pending>(`${SELECT_PENDING} account_id = ? AND blog_id = ?`, accountId, id).map((row) => ({ ...row })),
      insert: ({ accountId, id, version }) => db.run(INSERT_PENDING, accountId, id, version) === 1
    },
    related: {
      position: ({ id }) => [id],
      page: (after, limit) =>
        findAfter<RelatedRow>(db, { select: `${SELECT_RELATED} 1`, columns: ['b.id'] }, { after, limit }).map(
          toRelated
        ),
      findExisting: ({ id }) => db.all<RelatedRow>(`${SELECT_RELATED} b.id = ?`, id).map(toRelated),
      insert: ({ accountId, id, related }) => db.run(INSERT_RELATED, JSON.stringify(related), id, accountId) === 1
    },
    image: transferTable(db, {
      table: 'images',
      key: { blog_id: 'blogId', filename: 'filename' },
      columns: ({ accountId, createdAt }) => ({ account_id: accountId, created_at: createdAt })
    })
  }
}
