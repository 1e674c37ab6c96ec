import type { BlogRevisionRecord, TransferRecord } from '../../port.ts'
import { insertRevision, toRevision, type RevisionRow } from '../blogs/revisions.ts'
import type { Database } from '../database.ts'
import { findAfter, type KindTransfer } from './kind.ts'

type Moved = TransferRecord<'blogRevision'>

const SELECT = 'SELECT record, content FROM blog_revisions WHERE'

/** Revisions of a deleted blog may be left. */
const OF_BLOG = 'blog_id NOT IN (SELECT blog_id FROM revision_deletions)'

const toMoved = (row: RevisionRow): Moved => {
  const { content, ...head } = toRevision(row)
  return { ...head, content: content.toString('base64') }
}

const fromMoved = ({ content, ...head }: Moved): BlogRevisionRecord => ({
  ...head,
  content: Buffer.from(content, 'base64')
})

export function createRevisionTransfer(db: Database): KindTransfer<Moved> {
  return {
    position: ({ blogId, number }) => [blogId, number],
    page: (after, limit) =>
      findAfter<RevisionRow>(
        db,
        { select: `${SELECT} ${OF_BLOG}`, columns: ['blog_id', 'number'] },
        { after, limit }
      ).map(toMoved),
    findExisting: ({ blogId, number }) =>
      db.all<RevisionRow>(`${SELECT} blog_id = ? AND number = ?`, blogId, number).map(toMoved),
    insert: (revision) => insertRevision(db, fromMoved(revision))
  }
}
