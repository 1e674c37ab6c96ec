import { createYielder } from '../../../../lib/async.ts'
import type { BlogStore, BlogVector, PendingRelated, RelatedEntry } from '../../port.ts'
import type { Database } from '../database.ts'
import { toSweepPage } from '../sql.ts'
import { toMetadata, type MetadataRow } from './rows.ts'

type Methods =
  | 'vectors'
  | 'vectorsOf'
  | 'setRelated'
  | 'related'
  | 'pendingRelatedAccounts'
  | 'pendingRelated'
  | 'clearPendingRelated'

interface VectorRow extends MetadataRow {
  vector: string
}

function toVector(row: VectorRow): BlogVector {
  const { id, projectId, locale, category, tags, publishedAt } = toMetadata(row)
  return { id, projectId, locale, category, tags, publishedAt, vector: JSON.parse(row.vector) as BlogVector['vector'] }
}

export function createRelatedBlogs(db: Database): Pick<BlogStore, Methods> {
  return {
    vectors: async (accountId, { afterId, limit }) => {
      const rows = db.all<{ n: number }>(
        `SELECT n FROM blogs WHERE account_id = ? AND status = 'published' AND id > ? ORDER BY id LIMIT ?`,
        accountId,
        afterId ?? '',
        limit
      )
      const vectors: BlogVector[] = []
      const pause = createYielder()
      for (const { n } of rows) {
        const row = db.one<VectorRow>('SELECT metadata, vector FROM blogs JOIN blog_vectors USING (n) WHERE n = ?', n)
        // Deleted during a pause.
        if (row !== undefined) vectors.push(toVector(row))
        await pause()
      }
      return vectors
    },
    vectorsOf: async (accountId, ids) =>
      db
        .all<VectorRow>(
          `SELECT metadata, vector FROM blogs JOIN blog_vectors USING (n)
           WHERE id IN (SELECT value FROM json_each(?)) AND account_id = ? AND status = 'published'`,
          JSON.stringify(ids),
          accountId
        )
        .map(toVector),
    setRelated: async (accountId, lists) =>
      db.transaction(() => {
        let changed = 0
        for (const { id, related } of lists) {
          const mostSimilarFirst = related.toSorted((a, b) => b.score - a.score)
          changed += db.run(
            `INSERT INTO blog_related (n, related)
             SELECT n, ? FROM blogs WHERE id = ? AND account_id = ?
             ON CONFLICT (n) DO UPDATE SET related = excluded.related WHERE related <> excluded.related`,
            JSON.stringify(mostSimilarFirst),
            id,
            accountId
          )
        }
        return changed
      }),
    related: async (accountId, id) => {
      const row = db.one<{ related: string }>(
        'SELECT related FROM blogs b JOIN blog_related USING (n) WHERE b.id = ? AND b.account_id = ?',
        id,
        accountId
      )
      return row === undefined ? [] : (JSON.parse(row.related) as RelatedEntry[])
    },
    pendingRelatedAccounts: async ({ after, limit }) => {
      const rows = db.all<{ accountId: string }>(
        `SELECT accountId FROM (
           SELECT DISTINCT account_id AS accountId FROM pending_related
           WHERE account_id > ?1 ORDER BY account_id LIMIT ?2
         )
         UNION SELECT accountId FROM (
           SELECT DISTINCT account_id AS accountId FROM related_groups
           WHERE computed < changes AND account_id > ?1 ORDER BY account_id LIMIT ?2
         )
         ORDER BY accountId LIMIT ?2`,
        after ?? '',
        limit
      )
      return toSweepPage(rows, limit, { keyOf: ({ accountId }) => accountId, toItem: ({ accountId }) => accountId })
    },
    pendingRelated: async (accountId, limit) =>
      db
        .all<PendingRelated>(
          'SELECT blog_id AS id, version FROM pending_related WHERE account_id = ? LIMIT ?',
          accountId,
          limit
        )
        .map(({ id, version }) => ({ id, version })),
    clearPendingRelated: async (accountId, pending) =>
      db.transaction(() => {
        for (const { id, version } of pending) {
          db.run(
            'DELETE FROM pending_related WHERE account_id = ? AND blog_id = ? AND version = ?',
            accountId,
            id,
            version
          )
        }
      })
  }
}
