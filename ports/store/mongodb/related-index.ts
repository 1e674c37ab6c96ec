import { Binary, type AnyBulkWriteOperation, type Collection } from 'mongodb'
import { packTerms, unpackTerms } from '../../../lib/packed-terms.ts'
import {
  NOT_COMPUTED,
  type IndexedNeighbors,
  type IndexEntry,
  type RelatedGroup,
  type RelatedIndexState,
  type RelatedIndexStore
} from '../port.ts'
import type { Database } from './database.ts'
import { deleteInParts } from './deletions.ts'
import { compoundId, findByIds } from './documents.ts'

interface EntryDocument {
  _id: string
  accountId: string
  /** The `_id` of the group. */
  groupId: string
  group: RelatedGroup
  locale: string
  publishedAt: string | null
  /** For the index. `packed` has them with their weights. */
  terms: number[]
  packed: Binary
  length: number
  threshold: number
  neighbors: string[]
  cosines: number[]
  computedAt: number
}

interface GroupDocument {
  _id: string
  accountId: string
  group: RelatedGroup
  blogs: number
  changes: number
  computed: number
  /** Whether there were changes since `computed`. */
  pending: boolean
}

interface CountDocument {
  _id: string
  blogs: number
}

const groupIdOf = ({ accountId, projectId, language }: RelatedGroup) => compoundId(accountId, projectId, language)
const countIdOf = (groupId: string, term: number) => `${groupId}${term}`
/** Matches the ids that begin with the id of a group of the account. */
const idsOfAccount = (accountId: string) => {
  const start = compoundId(accountId).slice(0, -1)
  return { $gte: `${start},`, $lt: `${start}-` }
}

const WITHOUT_TERMS = { terms: 0, packed: 0 } as const
const PENDING = { pending: true } as const

function toNeighbors(document: Omit<EntryDocument, 'terms' | 'packed'>): IndexedNeighbors {
  const { _id: id, locale, publishedAt, length, threshold, neighbors, cosines, computedAt } = document
  return { id, locale, publishedAt, length, threshold, neighbors, cosines, computedAt }
}

const toEntry = (document: EntryDocument): IndexEntry => ({
  ...toNeighbors(document),
  ...unpackTerms(document.packed.buffer),
  group: document.group
})

/**
 * The index of related blogs. An entry is one document with an index over its terms. A crash between
 * the writes of `put` leaves counts that differ from the entries by one change.
 */
export function createRelatedIndex(database: Database): RelatedIndexStore {
  const entries: Collection<EntryDocument> = database.collection<EntryDocument>('related_entries')
  const groups: Collection<GroupDocument> = database.collection<GroupDocument>('related_groups')
  const counts: Collection<CountDocument> = database.collection<CountDocument>('related_term_counts')
  const states: Collection<RelatedIndexState & { _id: string }> = database.collection('related_indexes')

  type Stored = Pick<EntryDocument, '_id' | 'groupId' | 'group' | 'terms'>

  /** Adds changes to groups and to the counts of their terms, by the entries before and after. */
  async function addChanges(changes: { before: Stored | undefined; after: Stored | undefined }[]): Promise<void> {
    const changed = new Map<string, { group: RelatedGroup; blogs: number; changes: number }>()
    const terms = new Map<string, number>()
    function count(entry: Stored | undefined, by: 1 | -1): void {
      if (entry === undefined) return
      changed.get(entry.groupId)!.blogs += by
      for (const term of entry.terms) {
        const id = countIdOf(entry.groupId, term)
        terms.set(id, (terms.get(id) ?? 0) + by)
      }
    }
    for (const { before, after } of changes) {
      for (const [id, { group }] of new Map(
        [before, after].flatMap((entry) => (entry ? [[entry.groupId, entry]] : []))
      )) {
        const known = changed.get(id) ?? { group, blogs: 0, changes: 0 }
        changed.set(id, { ...known, changes: known.changes + 1 })
      }
      count(before, -1)
      count(after, 1)
    }
    if (changed.size === 0) return
    await groups.bulkWrite(
      [...changed].map(([_id, { group, blogs, changes: number }]) => ({
        updateOne: {
          filter: { _id },
          update: {
            $inc: { blogs, changes: number },
            $set: PENDING,
            $setOnInsert: { accountId: group.accountId, group, computed: 0 }
          },
          upsert: true
        }
      })),
      { ordered: false }
    )
    const updates: AnyBulkWriteOperation<CountDocument>[] = []
    for (const [_id, blogs] of terms) {
      if (blogs !== 0) updates.push({ updateOne: { filter: { _id }, update: { $inc: { blogs } }, upsert: true } })
    }
    if (updates.length > 0) await counts.bulkWrite(updates, { ordered: false })
    const shrunk = [...changed].filter(([, { blogs }]) => blogs < 0).map(([_id]) => _id)
    if (shrunk.length > 0) await groups.deleteMany({ _id: { $in: shrunk }, blogs: { $lte: 0 } })
  }

  return {
    state: (accountId) =>
      database.run(async () => {
        const found = await states.findOne({ _id: accountId }, { projection: { _id: 0 } })
        return found ?? { version: 0, isComplete: false, afterId: null }
      }),
    setState: async (accountId, { version, isComplete, afterId }) => {
      const state = { version, isComplete, afterId }
      await database.run(() => states.updateOne({ _id: accountId }, { $set: state }, { upsert: true }))
    },
    clear: (accountId) =>
      database.run(async () => {
        const _id = idsOfAccount(accountId)
        await deleteInParts<EntryDocument>(database, 'related_entries', { groupId: _id })
        await deleteInParts<CountDocument>(database, 'related_term_counts', { _id })
        await deleteInParts<GroupDocument>(database, 'related_groups', { _id })
        // Last: after a crash, the caller still finds the state of another version, and clears the index again.
        await states.deleteOne({ _id: accountId })
      }),
    find: (accountId, ids) =>
      database.run(async () => {
        if (ids.length === 0) return []
        const found = await findByIds(entries, ids, { conditions: { accountId }, projection: { terms: 0 } }).toArray()
        return found.map(toEntry)
      }),
    findNeighbors: (accountId, ids) =>
      database.run(async () => {
        if (ids.length === 0) return []
        const found = await findByIds(entries, ids, { conditions: { accountId }, projection: WITHOUT_TERMS }).toArray()
        return found.map(toNeighbors)
      }),
    put: (accountId, { put, remove }) =>
      database.run(async () => {
        if (put.length + remove.length === 0) return
        const ids = [...put.map(({ id }) => id), ...remove]
        const found = await findByIds(entries, ids, {
          conditions: { accountId },
          projection: { groupId: 1, group: 1, terms: 1 }
        }).toArray()
        const before = new Map<string, Stored>(found.map((entry) => [entry._id, entry]))
        const after = put.map(({ id, group, locale, publishedAt, terms, weights }) => ({
          _id: id,
          accountId,
          groupId: groupIdOf(group),
          group,
          locale,
          publishedAt,
          terms: [...terms],
          packed: new Binary(packTerms({ terms, weights })),
          computedAt: NOT_COMPUTED
        }))
        const without = { length: 0, threshold: 0, neighbors: [], cosines: [] }
        const writes: AnyBulkWriteOperation<EntryDocument>[] = after.map(({ _id, ...entry }) =>
          before.get(_id)?.groupId === entry.groupId
            ? { updateOne: { filter: { _id }, update: { $set: entry } } }
            : { replaceOne: { filter: { _id }, replacement: { ...entry, ...without }, upsert: true } }
        )
        const removed = remove.filter((id) => before.has(id))
        if (removed.length > 0) writes.push({ deleteMany: { filter: { _id: { $in: removed }, accountId } } })
        if (writes.length > 0) await entries.bulkWrite(writes, { ordered: false })
        await addChanges([
          ...removed.map((id) => ({ before: before.get(id), after: undefined })),
          ...after.map((entry) => ({ before: before.get(entry._id), after: entry }))
        ])
      }),
    pendingGroups: (accountId, limit) =>
      database.run(async () => {
        const found = await groups.find({ accountId, ...PENDING }, { limit }).toArray()
        return found.map(({ group, blogs, changes, computed }) => ({ group, blogs, changes, computed }))
      }),
    finish: async (group, changes) => {
      const _id = groupIdOf(group)
      await database.run(async () => {
        const all = { $set: { computed: changes, pending: false } }
        const { matchedCount } = await groups.updateOne({ _id, changes }, all)
        // There were changes meanwhile, and the group stays pending.
        if (matchedCount === 0) await groups.updateOne({ _id }, { $max: { computed: changes } })
      })
    },
    countTerms: (group, terms) =>
      database.run(async () => {
        const groupId = groupIdOf(group)
        const ids = Array.from(terms, (term) => countIdOf(groupId, term))
        const found = await counts.find({ _id: { $in: ids } }).toArray()
        const byId = new Map(found.map(({ _id, blogs }) => [_id, blogs]))
        return Int32Array.from(ids, (id) => Math.max(0, byId.get(id) ?? 0))
      }),
    candidates: (group, { terms, limit }) =>
      database.run(async () => {
        const found = await entries
          .find(
            { groupId: groupIdOf(group), terms: { $in: [...terms] } },
            { projection: { packed: 1, length: 1, threshold: 1 }, sort: { _id: -1 }, limit }
          )
          .toArray()
        return found.map(({ _id: id, packed, length, threshold }) => ({
          id,
          length,
          threshold,
          ...unpackTerms(packed.buffer)
        }))
      }),
    outdated: (group, { before, limit }) =>
      database.run(async () => {
        const found = await entries
          .find(
            { groupId: groupIdOf(group), computedAt: { $lt: before } },
            { projection: { terms: 0 }, sort: { computedAt: 1, _id: 1 }, limit }
          )
          .toArray()
        return found.map(toEntry)
      }),
    saveNeighbors: async (accountId, saved) => {
      if (saved.length === 0) return
      await database.run(() =>
        entries.bulkWrite(
          saved.map(({ id, length, threshold, neighbors, cosines, computedAt }) => ({
            updateOne: {
              filter: { _id: id, accountId },
              update: { $set: { length, threshold, neighbors, cosines, computedAt } }
            }
          })),
          { ordered: false }
        )
      )
    }
  }
}
