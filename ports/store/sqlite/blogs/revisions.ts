import type { BlogRevisionHead, BlogRevisionRecord, BlogRevisionStore } from '../../port.ts'
import type { Database } from '../database.ts'
import { removeRows, type SizedRow } from '../removal.ts'
import type { RecordRow } from '../sql.ts'

export interface RevisionRow extends RecordRow {
  content: Uint8Array
}

const INSERT = `
  INSERT INTO blog_revisions (blog_id, number, account_id, record, content)
  SELECT id, ?, account_id, ?, ? FROM blogs WHERE id = ? AND account_id = ?`

const SIZES = `
  SELECT rowid AS n, octet_length(record) + octet_length(content) AS bytes
  FROM blog_revisions WHERE blog_id = ? AND number < ? AND account_id = ? ORDER BY number LIMIT ?`
const DELETE = 'DELETE FROM blog_revisions WHERE rowid IN (SELECT value FROM json_each(?))'
const NOTE_DELETION = `
  INSERT OR IGNORE INTO revision_deletions (account_id, blog_id)
  SELECT account_id, blog_id FROM blog_revisions WHERE account_id = ? AND blog_id = ? LIMIT 1`

export const toRevision = ({ record, content }: RevisionRow): BlogRevisionRecord => ({
  ...(JSON.parse(record) as BlogRevisionHead),
  content: Buffer.from(content.buffer, content.byteOffset, content.byteLength)
})

/** Inserts a revision. Returns false if its blog does not exist. */
export function insertRevision(db: Database, { content, ...head }: BlogRevisionRecord): boolean {
  const { accountId, blogId, number } = head
  return db.run(INSERT, number, JSON.stringify(head), content, blogId, accountId) === 1
}

interface BlogKey {
  accountId: string
  id: string
}

/** Deletes the revisions of a blog below a number, in steps. */
async function removeRevisions(db: Database, { accountId, id }: BlogKey, below: number): Promise<void> {
  const left = (limit: number) => db.all<SizedRow>(SIZES, id, below, accountId, limit)
  await removeRows(db, left, (ns) => db.run(DELETE, JSON.stringify(ns)))
}

/** Notes that the revisions of a deleted blog must be deleted. Call in the transaction that deletes it. */
export function noteRevisionDeletion(db: Database, { accountId, id }: BlogKey): void {
  db.run(NOTE_DELETION, accountId, id)
}

/** Deletes the revisions of a deleted blog, in steps. */
export async function deleteRevisions(db: Database, blog: BlogKey): Promise<void> {
  await removeRevisions(db, blog, Number.MAX_SAFE_INTEGER)
  db.relaxedTransaction(() => db.run('DELETE FROM revision_deletions WHERE blog_id = ?', blog.id))
}

/** Deletes revisions of deleted blogs that are left after a crash. */
export async function deleteRemainingRevisions(db: Database, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const blog = db.one<BlogKey>('SELECT account_id AS accountId, blog_id AS id FROM revision_deletions LIMIT 1')
    if (blog === undefined) return
    await deleteRevisions(db, blog)
  }
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
    put: async (revision, keep) => {
      const { accountId, blogId, number, replacedVersion } = revision
      // There is more than one of them only after `keep` was lowered.
      await removeRevisions(db, { accountId, id: blogId }, number - keep - 1)
      db.relaxedTransaction(() => {
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
      })
    },
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
