import { MAX_TRANSLATIONS, type BlogStore, type BlogTranslationRef, type ProjectRef } from '../../port.ts'
import { commandSizesOf } from '../command-sizes.ts'
import type { Database } from '../database.ts'
import { BY_ID } from '../documents.ts'
import { readInSlices } from '../slices.ts'
import { blogCollection } from './documents.ts'
import { totalsMark } from '../totals/documents.ts'

const FIELDS = ['id', 'projectId', 'translationKey', 'slug', 'locale', 'title', 'canonicalUrl'] as const
const PROJECTION = { _id: 0, ...Object.fromEntries(FIELDS.map((field) => [`metadata.${field}`, 1])) }

/** Blogs that one command reads: a group may have all blogs of its project. */
const READ_AT_ONCE = 4 * MAX_TRANSLATIONS

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

  /** The first blogs of these groups, in order of the key, then of id. */
  async function readTranslations(project: ProjectRef, translationKeys: string[], limit: number) {
    const sort = { 'metadata.translationKey': 1, _id: 1 } as const
    const found = await readInSlices(
      blogs.find(inGroups(project, translationKeys), { projection: PROJECTION, sort, limit })
    )
    return found.map(({ metadata }) => metadata as BlogTranslationRef)
  }

  return {
    findTranslations: (project, translationKeys) =>
      database.run(async () => {
        const found: BlogTranslationRef[] = []
        let keys = [...new Set(translationKeys)]
        let limit = keys.length === 1 ? MAX_TRANSLATIONS : READ_AT_ONCE
        while (keys.length > 0) {
          const reply = await readTranslations(project, keys, limit)
          const isWhole = reply.length < limit
          const last = reply.at(-1)?.translationKey
          const ofLast = reply.filter(({ translationKey }) => translationKey === last)
          // A group that is not complete is read again, with those after it.
          const isCut = !isWhole && ofLast.length < MAX_TRANSLATIONS
          const groups = Map.groupBy(isCut ? reply.slice(0, -ofLast.length) : reply, (ref) => ref.translationKey)
          for (const group of groups.values()) found.push(...group.slice(0, MAX_TRANSLATIONS))
          keys = isWhole ? [] : keys.filter((key) => !groups.has(key))
          // One large group is probably not the only one.
          if (ofLast.length === limit) limit = MAX_TRANSLATIONS
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
