import { randomBytes } from 'node:crypto'
import type { AnyBulkWriteOperation, BulkWriteResult } from 'mongodb'
import { MongoBulkWriteError } from 'mongodb'
import type { ProductStore, ProductWrite, SaveOutcome } from '../port.ts'
import type { Database } from './database.ts'
import { duplicatesOf } from './driver-errors.ts'
import { awaitBatches } from './products-batch-settle.ts'
import { fieldsOf, FREE, products, replacing, type ProductDocument } from './products-documents.ts'
import { HELD, heldBack, verdictsOf, type Held, type Verdict } from './products-save-verdicts.ts'

/** A product remembers so many saves: more than can follow one before it was looked for. */
const REMEMBERED = 4
/**
 * How long a product that a batch holds is waited for; after that it is for the caller to come
 * again.
 */
const MOST_WAIT_MS = 1000
/** So often at least it is tried to save a product whose claims were given up meanwhile. */
const LEAST_ROUNDS = 3

/**
 * Saves products each on its own: all of a call in one bulk write, and what it left open is looked
 * at once.
 */
export function createProductSaves(database: Database): Pick<ProductStore, 'saveMany' | 'delete'> {
  return {
    saveMany: (writes) =>
      database.act(async () => {
        const outcomes = new Map<ProductWrite, SaveOutcome>()
        const until = Date.now() + MOST_WAIT_MS
        let open = writes
        for (let round = 1; open.length > 0; round++) {
          const verdicts = await saveOnce(database, open)
          const last = round >= LEAST_ROUNDS && Date.now() >= until
          const again = open.filter((write, at) => {
            const verdict = verdicts[at] as Verdict
            if (typeof verdict === 'string' && verdict !== 'free') outcomes.set(write, verdict)
            else if (last) outcomes.set(write, 'conflict')
            return !outcomes.has(write)
          })
          const held = [...new Set(verdicts.flatMap((verdict) => (typeof verdict === 'string' ? [] : verdict.heldBy)))]
          if (held.length > 0) await awaitBatches(database, held, Math.max(0, until - Date.now()))
          open = again
        }
        return writes.map((write) => outcomes.get(write) as SaveOutcome)
      }),
    delete: ({ accountId, id, ifVersion }) =>
      database.act(async () => {
        const until = Date.now() + MOST_WAIT_MS
        for (;;) {
          const { deletedCount } = await products(database).deleteOne({
            _id: id,
            accountId,
            version: ifVersion,
            ...FREE
          })
          if (deletedCount === 1) return true
          const stored = await products(database).findOne<Held>({ _id: id, accountId }, { projection: HELD })
          const held = stored === null ? null : heldBack(stored, ifVersion)
          if (held === null || Date.now() >= until) return false
          await awaitBatches(database, [held], until - Date.now())
        }
      })
  }
}

/** Tries to save each once. */
async function saveOnce(database: Database, writes: ProductWrite[]): Promise<Verdict[]> {
  const token = randomBytes(9).toString('base64url')
  const { result, refused } = await bulk(
    database,
    writes.map((write) => operationOf(write, token))
  )
  const saved = result.insertedCount + result.matchedCount
  if (saved === writes.length) return writes.map(() => 'saved')
  // Where every other one was saved, only the refused ones are looked at. Otherwise all: the server
  // does not say which update found nothing.
  const sure = saved + refused.size === writes.length
  const settled = writes.map((_, at) => sure && !refused.has(at))
  const unsure = writes.flatMap((write, at) => (settled[at] ? [] : { write, refused: refused.has(at) }))
  const verdicts = await verdictsOf(database, unsure, token)
  return settled.map((is) => (is ? 'saved' : (verdicts.shift() as Verdict)))
}

async function bulk(
  database: Database,
  operations: AnyBulkWriteOperation<ProductDocument>[]
): Promise<{ result: BulkWriteResult; refused: Set<number> }> {
  try {
    return { result: await products(database).bulkWrite(operations, { ordered: false }), refused: new Set() }
  } catch (error) {
    const refused = new Set(duplicatesOf(error))
    return { result: (error as MongoBulkWriteError).result, refused }
  }
}

function operationOf({ product, ifVersion }: ProductWrite, token: string): AnyBulkWriteOperation<ProductDocument> {
  const fields = fieldsOf(product)
  const { id: _id, accountId, projectId, externalId } = product
  if (ifVersion === null) return { insertOne: { document: { _id, ...fields, saves: [token] } } }
  // A product is never moved: one of another project or externalId is another one.
  return {
    updateOne: {
      filter: { _id, accountId, projectId, externalId, version: ifVersion, ...FREE },
      update: { ...replacing(fields), $push: { saves: { $each: [token], $slice: -REMEMBERED } } }
    }
  }
}
