import type { BlogStore, BlogTombstone } from '../port.ts'
import { blogOf, headOf, WHOLE, WHOLE_COLUMNS, type HeadRow, type WholeRow } from './blog-rows.ts'
import { seenBy } from './conditions.ts'
import type { Database } from './database.ts'
import { recordOf, type RecordRow } from './records.ts'

/** Reads blogs that are named by their ids. */
export function createBlogReads(
  db: Database
): Pick<
  BlogStore,
  'find' | 'findMetadata' | 'findMetadataById' | 'findTombstone' | 'findPublished' | 'existsInProject'
> {
  return {
    find: async (accountId, id) => {
      const row = db.one<WholeRow>(
        `SELECT ${WHOLE_COLUMNS} FROM ${WHOLE} WHERE b.id = ? AND b.account_id = ?`,
        id,
        accountId
      )
      return row === undefined ? null : blogOf(row)
    },
    findMetadata: async (accountId, id) => {
      const row = db.one<HeadRow>('SELECT head FROM blogs WHERE id = ? AND account_id = ?', id, accountId)
      return row === undefined ? null : headOf(row)
    },
    findMetadataById: async (id) => {
      const row = db.one<HeadRow>('SELECT head FROM blogs WHERE id = ?', id)
      return row === undefined ? null : headOf(row)
    },
    findTombstone: async (accountId, id) =>
      recordOf<BlogTombstone>(
        db.one<RecordRow>('SELECT record FROM tombstones WHERE id = ? AND account_id = ?', id, accountId)
      ),
    findPublished: async (reader, ids) => {
      const seen = seenBy(reader, 'b')
      return db
        .all<HeadRow>(
          `SELECT head FROM blogs b WHERE b.id IN (SELECT value FROM json_each(?)) AND b.status = 'published' AND ${seen.sql}`,
          JSON.stringify(ids),
          ...seen.values
        )
        .map(headOf)
    },
    existsInProject: async (accountId, projectId) =>
      db.one('SELECT n FROM blogs WHERE account_id = ? AND project_id = ? LIMIT 1', accountId, projectId) !== undefined
  }
}
