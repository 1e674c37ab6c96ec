import { BSON } from 'mongodb'
import { problem } from '../../../errors.ts'
import type { BlogRecord, BlogStore, NewEvent } from '../port.ts'
import { blogsOf, buriedFields, fieldsOf } from './blogs-documents.ts'
import type { Database } from './database.ts'
import { isDuplicate } from './driver-errors.ts'
import { pendingFields, pendingUpdate, settleEvents } from './events-pending.ts'
import { removeLeftImages } from './images-left.ts'

/**
 * A document may have 16 MiB (https://www.mongodb.com/docs/manual/reference/limits/); the rest is
 * for events that wait to be moved, and for related entries.
 */
const MOST_BYTES = 15 * 2 ** 20

/**
 * Writes blogs and all that hangs on them, each by one change of one document; what remains to be
 * done after it is done by whoever comes next, if the process dies.
 */
export function createBlogWrites(database: Database): Pick<BlogStore, 'add' | 'save' | 'delete'> {
  const blogs = blogsOf(database)

  /** Does the change of the blog, and tells when its slug is another's. */
  const write = async <T>(blog: BlogRecord, act: () => Promise<T>): Promise<T> => {
    try {
      return await act()
    } catch (error) {
      if (isDuplicate(error) && !isDuplicate(error, '_id')) {
        throw problem('slug_taken', `Another blog of this account has the slug ${blog.slug}.`, { cause: error })
      }
      throw error
    }
  }

  return {
    add: (blog, events = []) =>
      database.act(async () => {
        const document = {
          _id: blog.id,
          accountId: blog.accountId,
          deleted: false,
          ...fieldsOf(blog),
          ...pendingFields(events),
          ...relatedFields(blog.version, events)
        }
        assertFits(document)
        await write(blog, () => blogs.insertOne(document))
        if (events.length > 0) await settleEvents(database, 'blogs', blog.id)
      }),
    save: (blog, ifVersion, events = []) =>
      database.act(async () => {
        const { $set: mark, ...rest } = pendingUpdate(events)
        const fields = fieldsOf(blog)
        assertFits({ ...fields, events })
        const { matchedCount } = await write(blog, () =>
          blogs.updateOne(
            { _id: blog.id, accountId: blog.accountId, 'head.version': ifVersion, deleted: false },
            { $set: { ...fields, ...mark, ...relatedFields(blog.version, events) }, ...rest }
          )
        )
        if (matchedCount === 1 && events.length > 0) await settleEvents(database, 'blogs', blog.id)
        return matchedCount === 1
      }),
    delete: (tombstone, ifVersion, events = []) =>
      database.act(async () => {
        const { id, accountId } = tombstone
        const { $set: mark, ...rest } = pendingUpdate(events)
        const { matchedCount } = await blogs.updateOne(
          { _id: id, accountId, 'head.version': ifVersion, deleted: false },
          {
            $set: { ...buriedFields(tombstone), ...mark, ...relatedFields(ifVersion + 1, events) },
            $unset: { head: '', body: '', words: '', textWords: '', related: '' },
            ...rest
          }
        )
        if (matchedCount === 0) return false
        await removeLeftImages(database)
        if (events.length > 0) await settleEvents(database, 'blogs', id)
        return true
      })
  }
}

/** What is told to others, readers see as well; so related entries are due with it. */
const relatedFields = (relatedVersion: number, events: NewEvent[]) =>
  events.length === 0 ? {} : { pendingRelatedAccounts: true as const, relatedVersion }

function assertFits(document: object): void {
  const bytes = BSON.calculateObjectSize(document)
  if (bytes > MOST_BYTES) {
    throw problem(
      'payload_too_large',
      `With all that is made of it the blog would have ${bytes} bytes; ${MOST_BYTES} can be kept.`,
      { members: { limit: MOST_BYTES } }
    )
  }
}
