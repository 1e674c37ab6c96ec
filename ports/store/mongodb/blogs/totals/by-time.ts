import { createYielder } from '../../../../../lib/async.ts'
import type { BlogFilter } from '../../../port.ts'
import type { Database } from '../../database.ts'
import type { BlogDocument } from '../documents.ts'
import {
  countedState,
  isCounted,
  MINUTE,
  monthCounts,
  stateOf,
  statusesOf,
  type CountedBlog,
  type Counts,
  type TimeField
} from './counts.ts'
import { LEVELS, readTimes, type TimesCell } from './times.ts'

/** Greater than what follows a part of a time. */
const MAX_CHARACTER = '\u{10FFFF}'
const EVERY_BLOG = { kind: 'all', key: '' } as const

/** Conditions for a time, in the order of texts. */
export interface TimeRange {
  $gt?: string
  $gte?: string
  $lt?: string
}

/** The counts of an account, and the changes that are not in them. */
export interface CountsByTime {
  accountId: string
  counts: Counts
  generation: number
  timesSince: number
  changed: BlogDocument[]
}

/** Where a page of a list begins: so many blogs after the first one in this range. */
export interface PageStart {
  range: TimeRange
  skip: number
}

export interface TimeCounts {
  /** The blogs of the list that have the time. */
  total: () => number
  /** The blogs with this time or a later one. `countWithin` counts those of one minute. Null: see `readTimes`. */
  since: (time: TimeBound, countWithin: (range: TimeRange) => Promise<number>) => Promise<number | null>
  /** Null: see `readTimes`, or fewer blogs than `skip` have the time. */
  startOf: (page: { isDescending: boolean; skip: number; maxSkip: number }) => Promise<PageStart | null>
}

export interface TimeBound {
  time: string
  /** Whether blogs of exactly this time are counted. */
  isIncluded: boolean
}

/** The filters that the counts by time support. */
export function isCountedByTime(filter: BlogFilter): boolean {
  const { category, tag, author, terms = [] } = filter
  return [category, tag, author].every((label) => label === undefined) && terms.every((term) => term === '')
}

/**
 * The blogs of a list by time, with the changes that are not in the counts. Parts of times are compared as texts, which
 * have the order of the times.
 */
export async function createTimeCounts(
  database: Database,
  { snapshot, filter, field }: { snapshot: CountsByTime; filter: BlogFilter; field: TimeField }
): Promise<TimeCounts> {
  const { accountId, counts, generation, timesSince, changed } = snapshot
  const changes: { minute: string; by: number }[] = []
  const pause = createYielder()
  const isListed = (blog: CountedBlog | null): blog is CountedBlog => isCounted(blog, filter, EVERY_BLOG)
  for (const blog of changed) {
    for (const [state, by] of [
      [stateOf(blog), 1],
      [countedState(blog, timesSince), -1]
    ] as const) {
      if (isListed(state) && state[field] != null) changes.push({ minute: state[field], by })
    }
    await pause()
  }

  /** Adds the changes to the counts of the parts, of which all begin with `start`. */
  function withChanges(parts: Map<string, number>, { start, length }: { start: string; length: number }) {
    for (const { minute, by } of changes) {
      if (!minute.startsWith(start)) continue
      const part = minute.slice(0, length)
      parts.set(part, (parts.get(part) ?? 0) + by)
    }
    return parts
  }

  const months = withChanges(new Map(monthCounts(counts, filter, field)), { start: '', length: LEVELS[0] })
  const query = {
    accountId,
    field,
    generation,
    isListed: (cell: TimesCell) => isListed({ ...cell, category: null, tags: [], authors: [] })
  }

  /** The days of months, and the minutes of days, each with its blogs. Null: see `readTimes`. */
  async function readParts(starts: string[]): Promise<Map<string, number>[] | null> {
    const read = await readTimes(database, query, starts)
    const length = (start: string): number => LEVELS.find((one) => one > start.length)!
    return read?.map((parts, at) => withChanges(parts, { start: starts[at]!, length: length(starts[at]!) })) ?? null
  }

  const sum = (parts: Map<string, number>, after = ''): number => {
    let total = 0
    for (const [part, count] of parts) if (part > after) total += count
    return total
  }

  return {
    total: () => sum(months),
    async since({ time, isIncluded }, countWithin) {
      const [month, day, minute] = LEVELS.map((length) => time.slice(0, length)) as [string, string, string]
      const later = sum(months, month)
      if ((months.get(month) ?? 0) === 0) return later
      const parts = await readParts([month, day])
      if (parts === null) return null
      const [days, minutes] = parts as [Map<string, number>, Map<string, number>]
      const following = later + sum(days, day) + sum(minutes, minute)
      if ((minutes.get(minute) ?? 0) === 0) return following
      const range = { [isIncluded ? '$gte' : '$gt']: time, $lt: minute + MAX_CHARACTER }
      return following + (await countWithin(range))
    },
    async startOf({ isDescending, skip, maxSkip }) {
      let [parts, rest] = [months, skip]
      for (;;) {
        const ordered = [...parts].toSorted(([a], [b]) => (a < b === isDescending ? 1 : -1))
        const found = ordered.find(([, count]) => {
          if (rest < count) return true
          rest -= count
          return false
        })
        if (found === undefined) return null
        const [part, count] = found
        if (count <= maxSkip || part.length === MINUTE) {
          return { range: isDescending ? { $lt: part + MAX_CHARACTER } : { $gte: part }, skip: rest }
        }
        const read = await readParts([part])
        if (read === null) return null
        ;[parts] = read as [Map<string, number>]
      }
    }
  }
}

/** The statuses of which blogs may have no time of publication. */
export const mayLackTime = (filter: BlogFilter, field: TimeField): boolean =>
  field === 'published' && statusesOf(filter).some((status) => status !== 'published')
