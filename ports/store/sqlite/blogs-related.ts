import type { BlogStore, BlogVector, RelatedEntry, PendingRelated } from '../port.ts'
import { headOf, type HeadRow } from './blog-rows.ts'
import type { Database } from './database.ts'

interface VectorRow extends HeadRow {
  vector: string
}

function vectorOf(row: VectorRow): BlogVector {
  const { id, projectId, locale, category, tags, publishedAt } = headOf(row)
  return { id, projectId, locale, category, tags, publishedAt, vector: JSON.parse(row.vector) as BlogVector['vector'] }
}

/** Keeps what blogs have to do with one another. */
export function createBlogRelations(
  db: Database
): Pick<
  BlogStore,
  'vectors' | 'setRelated' | 'related' | 'pendingRelatedAccounts' | 'pendingRelated' | 'clearPendingRelated'
> {
  return {
    vectors: async (accountId, { afterId, limit }) =>
      db
        .all<VectorRow>(
          `
      SELECT b.head, vector FROM blogs b JOIN blog_vectors USING (n)
      WHERE b.account_id = ? AND b.status = 'published' AND b.id > ? ORDER BY b.id LIMIT ?`,
          accountId,
          afterId ?? '',
          limit
        )
        .map(vectorOf),
    setRelated: async (accountId, lists) =>
      db.atomically(() => {
        for (const { id, related } of lists) {
          const nearestFirst = related.toSorted((a, b) => b.score - a.score)
          db.run(
            'INSERT OR REPLACE INTO blog_related (n, related) SELECT n, ? FROM blogs WHERE id = ? AND account_id = ?',
            JSON.stringify(nearestFirst),
            id,
            accountId
          )
        }
      }),
    pendingRelatedAccounts: async (limit) =>
      db
        .all<{ accountId: string }>('SELECT DISTINCT account_id AS accountId FROM related_marks LIMIT ?', limit)
        .map(({ accountId }) => accountId),
    pendingRelated: async (accountId, limit) =>
      db
        .all<PendingRelated>(
          'SELECT blog_id AS id, version FROM related_marks WHERE account_id = ? LIMIT ?',
          accountId,
          limit
        )
        .map(({ id, version }) => ({ id, version })),
    clearPendingRelated: async (accountId, marks) =>
      db.atomically(() => {
        for (const { id, version } of marks) {
          db.run(
            'DELETE FROM related_marks WHERE account_id = ? AND blog_id = ? AND version = ?',
            accountId,
            id,
            version
          )
        }
      }),
    related: async (accountId, id) => {
      const row = db.one<{ related: string }>(
        'SELECT related FROM blogs b JOIN blog_related USING (n) WHERE b.id = ? AND b.account_id = ?',
        id,
        accountId
      )
      return row === undefined ? [] : (JSON.parse(row.related) as RelatedEntry[])
    }
  }
}
