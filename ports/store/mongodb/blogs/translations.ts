import { createYielder } from '../../../../lib/async.ts'
import { MAX_TRANSLATIONS, type BlogStore, type BlogTranslationRef, type ProjectRef } from '../../port.ts'
import { commandSizesOf } from '../command-sizes.ts'
import type { Database } from '../database.ts'
import { BY_ID } from '../documents.ts'
import { blogCollection } from './documents.ts'
import { totalsMark } from '../totals/documents.ts'

const FIELDS = ['id', 'projectId', 'translationKey', 'slug', 'locale', 'title', 'canonicalUrl'] as const
const PROJECTION = { _id: 0, ...Object.fromEntries(FIELDS.map((field) => [`metadata.${field}`, 1])) }

/** Blogs that are translations of each other. */
export function createBlogTranslations(database: Database): Pick<BlogStore, 'findTranslations' | 'touchTranslations'> {
  const blogs = blogCollection(database)
  /** Of a group that one command changes: a group has any number of blogs. */
  const sizes = commandSizesOf(database, 'blogs, translations')
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
        const found: BlogTranslationRef[] = []
        const counts = new Map<string, number>()
        const pause = createYielder()
        const options = { projection: PROJECTION, sort: { 'metadata.translationKey': 1, _id: 1 } } as const
        for await (const { metadata } of blogs.find(inGroups(project, translationKeys), options)) {
          const translation = metadata as BlogTranslationRef
          const count = (counts.get(translation.translationKey) ?? 0) + 1
          counts.set(translation.translationKey, count)
          if (count <= MAX_TRANSLATIONS) found.push(translation)
          await pause()
        }
        return found
      }),
    touchTranslations: (project, { translationKeys, exceptId, at }) =>
      database.run(async () => {
        const others = { ...inGroups(project, translationKeys), _id: { $ne: exceptId } }
        const ids = (await blogs.find(others, { projection: { _id: 1 } }).toArray()).map(({ _id }) => _id)
        let count = 0
        await sizes.inParts(ids, async (part) => {
          const { matchedCount } = await blogs.updateMany(
            { ...inGroups(project, translationKeys), _id: { $in: part } },
            { $max: { 'metadata.updatedAt': at }, $set: totalsMark(project.accountId) },
            BY_ID
          )
          count += matchedCount
        })
        return count
      })
  }
}
