import { BSON } from 'mongodb'
import { ApiError, problem } from '../../../../errors.ts'
import { duplicatePositions, isDuplicateKey } from '../../../../lib/mongodb.ts'
import type { BlogMetadata, BlogRecord, BlogStore, NewEvent } from '../../port.ts'
import type { Database } from '../database.ts'
import { pendingFields, pendingUpdate } from '../events/pending.ts'
import { deletePendingParts, isBlogDeleted } from '../images.ts'
import { blogCollection, toBlogFields, toChangedFields, toTombstoneFields, type BlogDocument } from './documents.ts'
import { forgetEarlierReleases } from './releases.ts'
import { deleteRevisions } from './revisions.ts'
import { totalsMark } from '../totals/documents.ts'

/**
 * A document may have 16 MiB (https://www.mongodb.com/docs/manual/reference/limits/). The
 * difference is reserved for pending events and related entries.
 */
const MAX_DOCUMENT_BYTES = 15 * 2 ** 20

/**
 * Writes a blog with its events and derived fields as one atomic update. The next reader of events moves
 * them to their collection, such as the fan-out that follows a change. If the process crashes after the
 * update, later calls of any process complete the remaining work.
 */
export function createBlogWrites(database: Database): Pick<BlogStore, 'add' | 'addMany' | 'save' | 'delete'> {
  const blogs = blogCollection(database)

  const toDocument = (blog: BlogRecord, events: NewEvent[]): BlogDocument => ({
    _id: blog.id,
    accountId: blog.accountId,
    deleted: false,
    ...toBlogFields(blog),
    ...totalsMark(blog.accountId),
    ...pendingFields(events),
    ...relatedFields(blog.version, events)
  })

  async function add(blog: BlogRecord, events: NewEvent[]): Promise<void> {
    const document = toDocument(blog, events)
    assertFits(document)
    await withUniqueKeys(blog, () => blogs.insertOne(document))
  }

  /** Inserts the documents. Returns the positions of those that have a key of another blog. */
  async function insertMany(documents: BlogDocument[]): Promise<number[]> {
    if (documents.length === 0) return []
    try {
      await blogs.insertMany(documents, { ordered: false })
      return []
    } catch (error) {
      return duplicatePositions(error)
    }
  }

  return {
    add: (blog, events = []) => database.run(() => add(blog, events)),
    addMany: (additions) =>
      database.run(async () => {
        const outcomes = await Promise.all(
          additions.map(({ blog, events }) => outcomeOf(() => assertFits(toDocument(blog, events))))
        )
        const fitting = additions.filter((_, at) => outcomes[at] === null)
        const rejected = await insertMany(fitting.map(({ blog, events }) => toDocument(blog, events)))
        // The error of a single insertion names the key.
        for (const at of rejected) {
          const { blog, events } = fitting[at]!
          outcomes[additions.indexOf(fitting[at]!)] = await outcomeOf(() => add(blog, events))
        }
        return outcomes
      }),
    save: (blog, ifVersion, events = []) =>
      database.run(async () => {
        const { $set: pendingSince, ...otherOperators } = pendingUpdate(events)
        const fields = toChangedFields(blog)
        assertFits({ ...fields, events })
        const { matchedCount } = await withUniqueKeys(blog, () =>
          blogs.updateOne(
            { _id: blog.id, accountId: blog.accountId, 'metadata.version': ifVersion, deleted: false },
            {
              $set: {
                ...fields,
                ...totalsMark(blog.accountId),
                ...pendingSince,
                ...relatedFields(blog.version, events)
              },
              ...otherOperators
            }
          )
        )
        // A revision that was stored for this change, after those of the blog were deleted, would stay.
        if (matchedCount === 0 && (await isBlogDeleted(database, blog.id))) await deleteRevisions(database, [blog])
        return matchedCount === 1
      }),
    delete: (tombstone, ifVersion, events = []) =>
      database.run(async () => {
        const { id, accountId } = tombstone
        const { $set: pendingSince, ...otherOperators } = pendingUpdate(events)
        const { matchedCount } = await blogs.updateOne(
          { _id: id, accountId, 'metadata.version': ifVersion, deleted: false },
          {
            $set: {
              ...toTombstoneFields(tombstone),
              ...totalsMark(accountId),
              ...pendingSince,
              ...relatedFields(ifVersion + 1, events)
            },
            $unset: {
              metadata: '',
              keys: '',
              translationSlot: '',
              body: '',
              terms: '',
              textTermCount: '',
              related: '',
              response: ''
            },
            ...otherOperators
          }
        )
        if (matchedCount === 0) return false
        await forgetEarlierReleases(database, tombstone)
        await deletePendingParts(database)
        return true
      })
  }
}

/** Null, or the API error that the work throws. */
async function outcomeOf(work: () => void | Promise<void>): Promise<ApiError | null> {
  try {
    await work()
    return null
  } catch (error) {
    if (error instanceof ApiError) return error
    throw error
  }
}

/** Runs the write. Throws `slug_taken` or `translation_exists` when another blog has the key. */
async function withUniqueKeys<T>(blog: BlogMetadata, write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (error) {
    if (isDuplicateKey(error, 'translationSlot')) throw translationExists(blog, error)
    if (isDuplicateKey(error) && !isDuplicateKey(error, '_id')) {
      throw problem('slug_taken', `Another blog of the project "${blog.projectId}" has the slug "${blog.slug}".`, {
        cause: error
      })
    }
    throw error
  }
}

/** A write with events changes what readers see, so that related entries must be recomputed. */
const relatedFields = (relatedVersion: number, events: NewEvent[]) =>
  events.length === 0 ? {} : { relatedPending: true as const, relatedVersion }

function assertFits(document: object): void {
  const bytes = BSON.calculateObjectSize(document)
  if (bytes > MAX_DOCUMENT_BYTES) {
    throw problem(
      'payload_too_large',
      `The blog with its rendered content would take ${bytes} bytes; the limit is ${MAX_DOCUMENT_BYTES}.`,
      { members: { limit: MAX_DOCUMENT_BYTES } }
    )
  }
}

/** The error of a blog whose translation key and language another blog of the project has. */
function translationExists({ projectId, translationKey, locale }: BlogMetadata, cause: unknown): ApiError {
  return problem(
    'translation_exists',
    `Another blog of the project "${projectId}" has the translation key "${translationKey}" and locale "${locale}".`,
    { cause }
  )
}
