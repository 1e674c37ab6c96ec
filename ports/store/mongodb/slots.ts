import { setTimeout as sleep } from 'node:timers/promises'
import { isDuplicateKey } from '../../../lib/mongodb.ts'
import type { Database } from './database.ts'

/**
 * A slot without an owner that is older than this was left by a process that crashed between taking
 * the slot and writing its owner.
 */
const ABANDONED_MS = 60_000
const MAX_RETRY_DELAY_MS = 20

interface Slot {
  id: string
  expiresAt: string | null
  takenAt: number
}

/** All slots of one holder: one document, so that one conditional update decides. */
interface SlotsDocument {
  _id: string
  version: number
  slots: Slot[]
}

export interface SlotRequest {
  /** Whose slots are counted, such as the API keys of an account. */
  holder: string
  id: string
  /** Null: the slot never expires. */
  expiresAt: string | null
  max: number
  at: string
}

/**
 * Takes one of the holder's slots. True when the holder then has at most `max` slots that are valid
 * after `at`; false otherwise. An id that has a slot keeps it and gets the new expiry.
 *
 * Counting needs several documents, and a standalone server changes one document atomically.
 * Therefore a slot is taken before its owner is written and released after its owner is gone. A
 * crash in between leaves a slot without an owner. Such slots are removed a minute later, when no
 * slot is free. `findOwned` returns those of the given ids that have an owner.
 */
export async function acquireSlot(
  database: Database,
  { holder, id, expiresAt, max, at }: SlotRequest,
  findOwned: (ids: string[]) => Promise<Set<string>>
): Promise<boolean> {
  for (;;) {
    const { version, slots } = await readSlots(database, holder)
    const valid = slots.filter((slot) => slot.expiresAt === null || slot.expiresAt > at)
    const others = valid.filter((slot) => slot.id !== id)
    const full = others.length === valid.length && others.length >= max
    const remaining = full ? await withoutAbandoned(others, findOwned) : others
    if (full && remaining.length >= max) return false
    const taken = [...remaining, { id, expiresAt, takenAt: Date.now() }]
    if (await replaceSlots(database, { _id: holder, version, slots: taken })) return true
    await sleep(Math.random() * MAX_RETRY_DELAY_MS)
  }
}

/** Does nothing when the holder has no slot of this id. */
export async function releaseSlot(database: Database, holder: string, id: string): Promise<void> {
  await database.run(() =>
    slotCollection(database).updateOne(
      { _id: holder, 'slots.id': id },
      { $pull: { slots: { id } }, $inc: { version: 1 } }
    )
  )
}

const slotCollection = (database: Database) => database.collection<SlotsDocument>('slots')

async function readSlots(database: Database, holder: string): Promise<SlotsDocument> {
  const found = await database.run(() => slotCollection(database).findOne({ _id: holder }))
  return found ?? { _id: holder, version: 0, slots: [] }
}

/** The slots that have an owner, or are so new that their owner may be written soon. */
async function withoutAbandoned(slots: Slot[], findOwned: (ids: string[]) => Promise<Set<string>>): Promise<Slot[]> {
  const recent = Date.now() - ABANDONED_MS
  const oldIds = slots.filter(({ takenAt }) => takenAt <= recent).map(({ id }) => id)
  const owned = oldIds.length === 0 ? new Set<string>() : await findOwned(oldIds)
  return slots.filter(({ id, takenAt }) => takenAt > recent || owned.has(id))
}

/** Writes the slots unless another process changed them since this version was read. */
async function replaceSlots(database: Database, { _id, version, slots }: SlotsDocument): Promise<boolean> {
  return await database.run(async () => {
    try {
      const { matchedCount, upsertedCount } = await slotCollection(database).updateOne(
        { _id, version },
        { $set: { slots }, $inc: { version: 1 } },
        { upsert: version === 0 }
      )
      return matchedCount + upsertedCount === 1
    } catch (error) {
      if (isDuplicateKey(error)) return false
      throw error
    }
  })
}
