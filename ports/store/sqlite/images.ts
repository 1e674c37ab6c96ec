import { mapInSlices } from '../../../lib/async.ts'
import type { ImageRecord, ImageStore } from '../port.ts'
import type { Database } from './database.ts'
import { parseRecord, type RecordRow } from './sql.ts'

const INSERT = `
  INSERT INTO images (account_id, blog_id, filename, created_at, record) VALUES (?, ?, ?, ?, ?)
  ON CONFLICT DO NOTHING`
const LIST = 'SELECT record FROM images WHERE blog_id = ? AND account_id = ? ORDER BY created_at, filename'

export function createImages(db: Database): ImageStore {
  const find = (blogId: string, filename: string) =>
    parseRecord<ImageRecord>(
      db.one<RecordRow>('SELECT record FROM images WHERE blog_id = ? AND filename = ?', blogId, filename)
    )

  return {
    insertIfAbsent: async (image) => {
      const { accountId, blogId, filename, createdAt } = image
      const changes = db.run(INSERT, accountId, blogId, filename, createdAt, JSON.stringify(image))
      return { image: find(blogId, filename) as ImageRecord, added: changes === 1 }
    },
    setAlt: async ({ accountId, blogId, filename }, alt) => {
      const image = find(blogId, filename)
      if (image?.accountId !== accountId) return null
      const record = { ...image, alt }
      db.run(
        'UPDATE images SET record = ? WHERE blog_id = ? AND filename = ?',
        JSON.stringify(record),
        blogId,
        filename
      )
      return record
    },
    find: async (blogId, filename) => find(blogId, filename),
    list: async (accountId, blogId) =>
      await mapInSlices(db.all<RecordRow>(LIST, blogId, accountId), (row) => JSON.parse(row.record) as ImageRecord),
    delete: async (accountId, blogId, filename) => {
      const changes = db.run(
        'DELETE FROM images WHERE blog_id = ? AND filename = ? AND account_id = ?',
        blogId,
        filename,
        accountId
      )
      return changes === 1
    }
  }
}
