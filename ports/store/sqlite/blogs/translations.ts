import { createYielder } from '../../../../lib/async.ts'
import { MAX_TRANSLATIONS, type BlogStore, type BlogTranslationRef, type ProjectRef } from '../../port.ts'
import type { Database } from '../database.ts'

// By default, SQLite reads all blogs of the account in the order of their ids.
const GROUP = `
  SELECT n FROM blogs INDEXED BY blogs_by_translation
  WHERE account_id = ? AND translation_key = ? AND project_id = ? AND status = 'published' ORDER BY id LIMIT ?`
const FIELDS = ['id', 'projectId', 'translationKey', 'slug', 'locale', 'title', 'canonicalUrl'] as const
/** Blogs that are changed at once. */
const CHANGED_AT_ONCE = 20

/** Blogs that are translations of each other. */
export function createBlogTranslations(db: Database): Pick<BlogStore, 'findTranslations' | 'touchTranslations'> {
  /** The row numbers of the published blogs with a translation key, in order of id. */
  function findGroup({ accountId, projectId }: ProjectRef, translationKey: string, limit = -1): number[] {
    return db.all<{ n: number }>(GROUP, accountId, translationKey, projectId, limit).map(({ n }) => n)
  }

  function read(n: number): BlogTranslationRef | null {
    const row = db.one<{ json: string }>(
      `SELECT json_object(${FIELDS.map((field) => `'${field}', metadata -> '$.${field}'`).join(', ')}) AS json
       FROM blogs WHERE n = ?`,
      n
    )
    return row === undefined ? null : (JSON.parse(row.json) as BlogTranslationRef)
  }

  return {
    findTranslations: async (project, translationKeys) => {
      const found: BlogTranslationRef[] = []
      const pause = createYielder()
      for (const translationKey of new Set(translationKeys)) {
        for (const n of findGroup(project, translationKey, MAX_TRANSLATIONS)) {
          const translation = read(n)
          // Deleted during a pause.
          if (translation !== null) found.push(translation)
          await pause()
        }
      }
      return found
    },
    // Only the last step waits for the disk: a repeated call changes the remaining blogs.
    touchTranslations: async (project, { translationKeys, exceptId, at }) => {
      const ns = [...new Set(translationKeys)].flatMap((translationKey) => findGroup(project, translationKey))
      const pause = createYielder()
      let count = 0
      for (let from = 0; from < ns.length; from += CHANGED_AT_ONCE) {
        const some = ns.slice(from, from + CHANGED_AT_ONCE)
        db[from + CHANGED_AT_ONCE < ns.length ? 'relaxedTransaction' : 'transaction'](() => {
          for (const n of some) {
            count += db.run(
              `UPDATE blogs SET
                 updated_at = max(updated_at, ?),
                 metadata = json_set(metadata, '$.updatedAt', max(updated_at, ?))
               WHERE n = ? AND id <> ?`,
              at,
              at,
              n,
              exceptId
            )
          }
        })
        await pause()
      }
      return count
    }
  }
}
