import type { BlogStore, ProjectRef } from '../../port.ts'
import type { Database } from '../database.ts'
import { blogCollection, METADATA_FIELDS, toBlogMetadata } from './documents.ts'

/** Blogs that are translations of each other. */
export function createBlogTranslations(database: Database): Pick<BlogStore, 'findTranslations' | 'touchTranslations'> {
  const blogs = blogCollection(database)
  const inGroups = ({ accountId, projectId }: ProjectRef, translationKeys: string[]) => ({
    accountId,
    projectId,
    'metadata.status': 'published' as const,
    // The second condition is the one of the index.
    'metadata.translationKey': { $in: translationKeys, $gt: '' }
  })

  return {
    findTranslations: (project, translationKeys) =>
      database.run(async () => {
        const found = await blogs
          .find(inGroups(project, translationKeys), { projection: METADATA_FIELDS, sort: { _id: 1 } })
          .toArray()
        return found.map(toBlogMetadata)
      }),
    touchTranslations: (project, { translationKeys, exceptId, at }) =>
      database.run(async () => {
        const { matchedCount } = await blogs.updateMany(
          { ...inGroups(project, translationKeys), _id: { $ne: exceptId } },
          { $max: { 'metadata.updatedAt': at } }
        )
        return matchedCount
      })
  }
}
