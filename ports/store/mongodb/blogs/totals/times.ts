import type { AnyBulkWriteOperation, Collection } from 'mongodb'
import { createYielder } from '../../../../../lib/async.ts'
import { duplicatePositions } from '../../../../../lib/mongodb.ts'
import { commandSizesOf } from '../../command-sizes.ts'
import type { Database } from '../../database.ts'
import { compoundId } from '../../documents.ts'
import { decodeName, encodeName } from '../../totals/documents.ts'
import { MINUTE, MONTH, TIME_FIELDS, type CountedBlog, type TimeField } from './counts.ts'
import type { BlogTotalsDocument } from './documents.ts'

/*
 * Blogs of an account by day and by minute (decision 40). Months are in the document of the counts. A month with blogs
 * has a document with its days, and a day one with its minutes. Their generations are those of the counts: a change is
 * added to a document once, however often the write is repeated.
 */

/** The length of a time up to the day, such as `2026-11-27`. */
const DAY = 10
/** The parts into which times are divided, by the length of their texts. Those of a part begin with its text. */
export const LEVELS = [MONTH, DAY, MINUTE] as const

/** The blogs of a month by day, or those of a day by minute. */
interface TimesDocument {
  _id: string
  /** The last generation of the counts with a change of this document. */
  generation: number
  /** By day or minute, status, project and locale, see `cellName`. */
  cells?: Record<string, number>
}

/** What the counts by time contain of a blog. */
export type CountedTimes = Omit<CountedBlog, 'category' | 'tags' | 'authors'>

export const timesOf = ({ projectId, status, locale, published, updated }: CountedBlog): CountedTimes => ({
  projectId,
  status,
  locale,
  published: published ?? null,
  updated: updated ?? null
})

const timesCollection = (database: Database): Collection<TimesDocument> =>
  database.collection<TimesDocument>('blog_times')

export const deleteAllTimes = async (database: Database): Promise<void> => {
  await timesCollection(database).deleteMany({})
}

const timesId = (accountId: string, field: TimeField, part: string): string => compoundId(accountId, field, part)

/** The name of a field: encoded texts have no `=` but the first one. */
const cellName = (part: string, { status, projectId, locale }: CountedTimes): string =>
  [part, status, projectId, locale].map(encodeName).join('')

const cellTexts = (name: string): [part: string, status: string, projectId: string, locale: string] =>
  name
    .split('=')
    .slice(1)
    .map((text) => decodeName(`=${text}`)) as [string, string, string, string]

/** How the blogs of a day or a minute change: by id of the document and by cell. */
type Changes = Map<string, Map<string, number>>

/**
 * Adds the changes of a generation to the counts by day and minute. May be repeated, also by a process that slept in
 * between. Then what is 0 is removed from them: an account that changes its blogs every day would have more and more.
 */
export async function addToTimes(
  database: Database,
  accountId: string,
  counts: Omit<BlogTotalsDocument, '_id' | 'totalsKey'>
): Promise<void> {
  const changes: Changes = new Map()
  const pause = createYielder()
  const fields = TIME_FIELDS.filter((field) => counts.uncounted?.includes(field) !== true)
  for (const { from, state } of counts.folded!) {
    for (const field of fields) {
      if (from != null) addChange(changes, accountId, { field, blog: from, by: -1 })
      if (state !== null) addChange(changes, accountId, { field, blog: timesOf(state), by: 1 })
    }
    await pause()
  }
  const sizes = commandSizesOf(database, 'blog_times')
  const generation = counts.generation!
  const [additions, removals] = [toAdditions(changes, generation), toRemovals(changes)]
  await sizes.inParts(additions, async (part) => await addOnce(database, part))
  await sizes.inParts(removals, async (part) => {
    await timesCollection(database).bulkWrite(part, { ordered: false })
  })
}

function addChange(
  changes: Changes,
  accountId: string,
  { field, blog, by }: { field: TimeField; blog: CountedTimes; by: 1 | -1 }
): void {
  const minute = blog[field]
  if (minute == null) return
  for (const [level, length] of LEVELS.slice(1).entries()) {
    const id = timesId(accountId, field, minute.slice(0, LEVELS[level]))
    const cells = changes.get(id) ?? new Map<string, number>()
    changes.set(id, cells)
    const name = cellName(minute.slice(0, length), blog)
    cells.set(name, (cells.get(name) ?? 0) + by)
  }
}

function toAdditions(changes: Changes, generation: number): AnyBulkWriteOperation<TimesDocument>[] {
  return [...changes].flatMap(([_id, cells]) => {
    const changed = [...cells].filter(([, by]) => by !== 0)
    if (changed.length === 0) return []
    const $inc = Object.fromEntries(changed.map(([name, by]) => [`cells.${name}`, by]))
    const update = { $inc, $set: { generation } }
    return [{ updateOne: { filter: { _id, generation: { $lt: generation } }, update, upsert: true } }]
  })
}

const toRemovals = (changes: Changes): AnyBulkWriteOperation<TimesDocument>[] =>
  [...changes].flatMap(([_id, cells]) =>
    [...cells]
      .filter(([, by]) => by < 0)
      .map(([name]) => ({
        updateOne: { filter: { _id, [`cells.${name}`]: 0 }, update: { $unset: { [`cells.${name}`]: '' as const } } }
      }))
  )

/** A document that has the generation already does not match, so that the server tries to insert another one. */
async function addOnce(database: Database, additions: AnyBulkWriteOperation<TimesDocument>[]): Promise<void> {
  try {
    await timesCollection(database).bulkWrite(additions, { ordered: false })
  } catch (error) {
    duplicatePositions(error)
  }
}

/** A place and a status of blogs. */
export type TimesCell = Pick<CountedBlog, 'status' | 'projectId' | 'locale'>

/**
 * The blogs of months by day, and of days by minute, of the cells that are listed. Null if a change was added to one of
 * them after this generation of the counts.
 */
export async function readTimes(
  database: Database,
  {
    accountId,
    field,
    generation,
    isListed
  }: { accountId: string; field: TimeField; generation: number; isListed: (cell: TimesCell) => boolean },
  starts: string[]
): Promise<Map<string, number>[] | null> {
  const ids = starts.map((start) => timesId(accountId, field, start))
  const found = await timesCollection(database)
    .find({ _id: { $in: ids } })
    .toArray()
  if (found.some((document) => document.generation > generation)) return null
  const read = starts.map(() => new Map<string, number>())
  const pause = createYielder()
  for (const { _id, cells = {} } of found) {
    const parts = read[ids.indexOf(_id)]!
    for (const [name, count] of Object.entries(cells)) {
      const [part, status, projectId, locale] = cellTexts(name)
      if (isListed({ status, projectId, locale })) parts.set(part, (parts.get(part) ?? 0) + count)
      await pause()
    }
  }
  return read
}
