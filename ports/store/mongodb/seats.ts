import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from './database.ts'
import { isDuplicate } from './driver-errors.ts'

/**
 * After this long a seat whose owner is not there was left by a process that died between taking it
 * and writing its owner.
 */
const ABANDONED_AFTER_MS = 60_000
/** Rivals for one holder's seats wait up to so long before they try again. */
const RETRY_WITHIN_MS = 20

interface Seat {
  id: string
  until: string | null
  takenAt: number
}
interface Seats {
  _id: string
  version: number
  seats: Seat[]
}

/**
 * Who takes a seat of which holder: from `at` on until `until` (null: for good), where the holder
 * has `most` of them.
 */
export interface SeatRequest {
  holder: string
  id: string
  until: string | null
  most: number
  at: string
}

/**
 * Takes one of a holder's seats: true when the holder then has at most `most` that last beyond
 * `at`; false otherwise. Who has one keeps it, and its `until` becomes this one.
 * Counting needs more documents than one, and a standalone server changes one at a time: so a seat
 * is taken before its owner is written and freed after its owner is gone.
 * A crash between the two leaves a seat without an owner; it is cleared away when seats are short,
 * a minute after it was taken. `exists` tells which ids have an owner.
 */
export async function takeSeat(
  database: Database,
  request: SeatRequest,
  exists: (ids: string[]) => Promise<Set<string>>
): Promise<boolean> {
  const { holder, id, until, most, at } = request
  for (;;) {
    const { version, seats } = await seatsOf(database, holder)
    const lasting = seats.filter((seat) => seat.until === null || seat.until > at)
    const others = lasting.filter((seat) => seat.id !== id)
    const full = others.length === lasting.length && others.length >= most
    const kept = full ? await owned(others, exists) : others
    if (full && kept.length >= most) return false
    if (await replaceSeats(database, { _id: holder, version, seats: [...kept, { id, until, takenAt: Date.now() }] })) {
      return true
    }
    await sleep(Math.random() * RETRY_WITHIN_MS)
  }
}

/** Gives a seat free; nothing happens where there is none of this id. */
export async function freeSeat(database: Database, holder: string, id: string): Promise<void> {
  await database.act(() =>
    collectionOf(database).updateOne(
      { _id: holder, 'seats.id': id },
      { $pull: { seats: { id } }, $inc: { version: 1 } }
    )
  )
}

const collectionOf = (database: Database) => database.collection<Seats>('seats')

async function seatsOf(database: Database, holder: string): Promise<Seats> {
  return (
    (await database.act(() => collectionOf(database).findOne({ _id: holder }))) ?? {
      _id: holder,
      version: 0,
      seats: []
    }
  )
}

/** Those seats that have an owner, or were taken so lately that it may be on its way. */
async function owned(seats: Seat[], exists: (ids: string[]) => Promise<Set<string>>): Promise<Seat[]> {
  const lately = Date.now() - ABANDONED_AFTER_MS
  const old = seats.filter(({ takenAt }) => takenAt <= lately).map(({ id }) => id)
  const there = old.length === 0 ? new Set<string>() : await exists(old)
  return seats.filter(({ id, takenAt }) => takenAt > lately || there.has(id))
}

/** Writes the seats unless somebody else did since they were read at this version. */
async function replaceSeats(database: Database, { _id, version, seats }: Seats): Promise<boolean> {
  return await database.act(async () => {
    try {
      const { matchedCount, upsertedCount } = await collectionOf(database).updateOne(
        { _id, version },
        { $set: { seats }, $inc: { version: 1 } },
        { upsert: version === 0 }
      )
      return matchedCount + upsertedCount === 1
    } catch (error) {
      if (isDuplicate(error)) return false
      throw error
    }
  })
}
