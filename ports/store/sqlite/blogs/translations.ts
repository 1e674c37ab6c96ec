import type { BlogStore } from '../../port.ts'
import type { Database } from '../database.ts'
import { toMetadata, type MetadataRow } from './rows.ts'

const IN_GROUPS = `
  account_id = ? AND project_id = ? AND status = 'published'
  AND translation_key IN (SELECT value FROM json_each(?))`

/** Blogs that are translations of each other. */
export function createBlogTranslations(db: Database): Pick<BlogStore, 'findTranslations' | 'touchTranslations'> {
  return {
    findTranslations: async ({ accountId, projectId }, translationKeys) =>
      db
        .all<MetadataRow>(
          `SELECT metadata FROM blogs WHERE ${IN_GROUPS} ORDER BY id`,
          accountId,
          projectId,
          JSON.stringify(translationKeys)
        )
        .map(toMetadata),
    touchTranslations: async ({ accountId, projectId }, { translationKeys, exceptId, at }) =>
      db.run(
        `UPDATE blogs SET
           updated_at = max(updated_at, ?),
           metadata = json_set(metadata, '$.updatedAt', max(updated_at, ?))
         WHERE ${IN_GROUPS} AND id <> ?`,
        at,
        at,
        accountId,
        projectId,
        JSON.stringify(translationKeys),
        exceptId
      )
  }
}
