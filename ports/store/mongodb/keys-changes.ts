import { randomUUID } from 'node:crypto'
import type { ApiKeyRecord, ApiKeyStore } from '../port.ts'
import type { Database } from './database.ts'
import { isDuplicate } from './driver-errors.ts'
import { isActive, keysOf, RECORD_ALONE, type KeyDocument } from './keys-documents.ts'
import { changedFields } from './records-changed.ts'
import { freeSeat, takeSeat } from './seats.ts'

interface Wish {
  accountId: string
  expiresAt: string | null
  most: number
  at: string
}
type Change = Partial<ApiKeyRecord>

/**
 * Changes keys such that never too many are active, through a crash too: a seat is taken before a
 * key names it, lasts at least as long as the key, and is freed only
 * after no key names it. What a crash leaves is a seat too many, which is cleared away when seats
 * are short.
 */
export function createKeyChanges(database: Database): Pick<ApiKeyStore, 'add' | 'update' | 'delete'> {
  const keys = keysOf(database)
  const free = async (accountId: string, seat: string | null) => {
    if (seat !== null) await freeSeat(database, holderOf(accountId), seat)
  }

  /** The id of a new seat; null when there is none left. */
  async function take({ accountId, expiresAt, most, at }: Wish): Promise<string | null> {
    const id = randomUUID()
    const named = async (ids: string[]) => {
      const found = await database.act(() =>
        keys.find({ accountId, seat: { $in: ids } }, { projection: { seat: 1 } }).toArray()
      )
      return new Set(found.map(({ seat }) => seat ?? ''))
    }
    return (await takeSeat(database, { holder: holderOf(accountId), id, until: expiresAt, most, at }, named))
      ? id
      : null
  }

  async function add(key: ApiKeyRecord, maxActive: number): Promise<boolean> {
    const active = isActive(key, key.createdAt)
    const seat = active
      ? await take({ accountId: key.accountId, expiresAt: key.expiresAt, most: maxActive, at: key.createdAt })
      : null
    if (active && seat === null) return false
    try {
      await database.act(() => keys.insertOne({ _id: key.id, ...key, seat, revision: 1 }))
      return true
    } catch (error) {
      // After any other error it may have been written all the same, and then needs its seat.
      if (isDuplicate(error)) await free(key.accountId, seat)
      throw error
    }
  }

  /** Makes the change to the key as it was read; 'again' when somebody else changed it since. */
  async function change(
    before: KeyDocument,
    fields: Change,
    maxActive: number
  ): Promise<ApiKeyRecord | 'too_many' | 'again'> {
    const { _id, accountId, revision } = before
    const after = { ...before, ...fields }
    const at = after.updatedAt
    const [was, is] = [isActive(before, at), isActive(after, at)]
    const moves = is && (!was || after.expiresAt !== before.expiresAt)
    // Who is active stays so whatever the number; for a moment it has two seats.
    const taken = moves
      ? await take({ accountId, expiresAt: after.expiresAt, most: was ? Infinity : maxActive, at })
      : null
    if (moves && taken === null) return 'too_many'
    const seat = moves ? taken : is ? before.seat : null
    const changed = await database.act(() =>
      keys.findOneAndUpdate(
        { _id, accountId, revision },
        { $set: { ...fields, seat }, $inc: { revision: 1 } },
        { projection: RECORD_ALONE, returnDocument: 'after' }
      )
    )
    if (changed === null) await free(accountId, taken)
    else if (before.seat !== seat) await free(accountId, before.seat)
    return changed ?? 'again'
  }

  return {
    add,
    update: async ({ accountId, id }, wanted, maxActive) => {
      const fields = changedFields<ApiKeyRecord>(wanted)
      for (;;) {
        const before = await database.act(() => keys.findOne({ _id: id, accountId }))
        if (before === null) return null
        const outcome = await change(before, fields, maxActive)
        if (outcome !== 'again') return outcome
      }
    },
    delete: async (accountId, id) => {
      const removed = await database.act(() =>
        keys.findOneAndDelete({ _id: id, accountId }, { projection: { seat: 1 } })
      )
      if (removed !== null) await free(accountId, removed.seat)
      return removed !== null
    }
  }
}

const holderOf = (accountId: string): string => `keys ${accountId}`
