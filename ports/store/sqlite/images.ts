import type { ImageRecord, ImageStore } from '../port.ts'
import type { Database } from './database.ts'
import { recordOf, type RecordRow } from './records.ts'

/** Keeps what is known of images; their bytes are files. */
export function createImages(db: Database): ImageStore {
  const find = (blogId: string, filename: string) =>
    recordOf<ImageRecord>(
      db.one<RecordRow>('SELECT record FROM images WHERE blog_id = ? AND filename = ?', blogId, filename)
    )

  return {
    insertIfAbsent: async (image) => {
      const { accountId, blogId, filename, createdAt } = image
      const added =
        db.run(
          'INSERT INTO images (account_id, blog_id, filename, created_at, record) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING',
          accountId,
          blogId,
          filename,
          createdAt,
          JSON.stringify(image)
        ) === 1
      return { image: find(blogId, filename) as ImageRecord, added }
    },
    find: async (blogId, filename) => find(blogId, filename),
    list: async (accountId, blogId) =>
      db
        .all<RecordRow>(
          'SELECT record FROM images WHERE blog_id = ? AND account_id = ? ORDER BY created_at, filename',
          blogId,
          accountId
        )
        .map((row) => JSON.parse(row.record) as ImageRecord),
    delete: async (accountId, blogId, filename) =>
      db.run(
        'DELETE FROM images WHERE blog_id = ? AND filename = ? AND account_id = ?',
        blogId,
        filename,
        accountId
      ) === 1
  }
}
