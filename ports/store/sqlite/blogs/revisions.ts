import type { BlogRevisionHead, BlogRevisionRecord, BlogRevisionStore } from '../../port.ts'
import type { Database } from '../database.ts'
import type { RecordRow } from '../sql.ts'

export interface RevisionRow extends RecordRow {
  content: Uint8Array
}

const INSERT = `
  INSERT INTO blog_revisions (blog_id, number, account_id, record, content)
  SELECT id, ?, account_id, ?, ? FROM blogs WHERE id = ? AND account_id = ?`

export const toRevision = ({ record, content }: RevisionRow): BlogRevisionRecord => ({
  ...(JSON.parse(record) as BlogRevisionHead),
  content: Buffer.from(content.buffer, content.byteOffset, content.byteLength)
})

/** Inserts a revision. Returns false if its blog does not exist. */
export function insertRevision(db: Database, { content, ...head }: BlogRevisionRecord): boolean {
  const { accountId, blogId, number } = head
  return db.run(INSERT, number, JSON.stringify(head), content, blogId, accountId) === 1
}

export function createBlogRevisions(db: Database): BlogRevisionStore {
  function find(accountId: string, blogId: string, number: number): BlogRevisionRecord | null {
    const row = db.one<RevisionRow>(
      'SELECT record, content FROM blog_revisions WHERE blog_id = ? AND number = ? AND account_id = ?',
      blogId,
      number,
      accountId
    )
    return row === undefined ? null : toRevision(row)
  }

  return {
    // Does not wait for the disk: the change of the blog that follows does.
    put: async (revision, keep) =>
      db.relaxedTransaction(() => {
        const { accountId, blogId, number, replacedVersion } = revision
        db.run(
          'DELETE FROM blog_revisions WHERE blog_id = ? AND number < ? AND account_id = ?',
          blogId,
          number - keep,
          accountId
        )
        if (keep === 0 || (find(accountId, blogId, number)?.replacedVersion ?? 0) > replacedVersion) return
        db.run(
          'DELETE FROM blog_revisions WHERE blog_id = ? AND number = ? AND account_id = ?',
          blogId,
          number,
          accountId
        )
        insertRevision(db, revision)
      }),
    list: async (accountId, blogId, { from, before }) =>
      db
        .all<RecordRow>(
          `SELECT record FROM blog_revisions
           WHERE blog_id = ? AND number >= ? AND number < ? AND account_id = ? ORDER BY number DESC`,
          blogId,
          from,
          before,
          accountId
        )
        .map(({ record }) => JSON.parse(record) as BlogRevisionHead),
    find: async (accountId, blogId, number) => find(accountId, blogId, number)
  }
}
