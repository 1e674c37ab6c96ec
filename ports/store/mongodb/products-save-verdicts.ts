import type { ProductWrite, ProjectRef, SaveOutcome } from '../port.ts'
import type { Database } from './database.ts'
import { products, type ProductDocument } from './products-documents.ts'

/**
 * What became of a write; or that nothing is in its way any more; or which batch that is not
 * finished holds what it needs.
 */
export type Verdict = SaveOutcome | 'free' | { heldBy: string }
/**
 * A write that was not saved for certain; `refused`: the server said that there is one of its keys.
 */
export interface UnsureWrite {
  write: ProductWrite
  refused: boolean
}
/** A product, or what a batch will make of it. */
export interface Held {
  version: number
  pending?: { batch: string; record: { version: number } }
}
type Stored = Pick<ProductDocument, '_id' | 'projectId' | 'externalId' | 'accountId' | 'hidden' | 'saves' | 'claims'> &
  Held & { pending?: { was?: string[] } }
/** What stands in the store, by what it is asked for. */
interface Standing {
  byId: Map<string, Stored>
  byKey: Map<string, Stored>
  byClaim: Map<string, Stored>
}

/** What is read for `heldBack`. */
export const HELD = { version: 1, 'pending.batch': 1, 'pending.record.version': 1 } as const
const PROJECTION = {
  projectId: 1,
  externalId: 1,
  accountId: 1,
  hidden: 1,
  saves: 1,
  claims: 1,
  'pending.was': 1,
  ...HELD
} as const

/**
 * The open batch that keeps the product from being changed in this version, which it is of, or may
 * be when the batch is done; null when none does.
 */
export function heldBack({ version, pending }: Held, ifVersion: number): string | null {
  return pending !== undefined && (version === ifVersion || pending.record.version === ifVersion) ? pending.batch : null
}

/**
 * Looks what stands in the way of each, in order. `token` is what the saves of this call are known
 * by.
 */
export async function verdictsOf(database: Database, unsure: UnsureWrite[], token: string): Promise<Verdict[]> {
  const standing: Standing = { byId: new Map(), byKey: new Map(), byClaim: new Map() }
  const found = await read(database, unsure)
  for (const stored of found) {
    standing.byId.set(stored._id, stored)
    standing.byKey.set(keyOf(stored, stored.externalId), stored)
    for (const claim of stored.claims ?? []) standing.byClaim.set(keyOf(stored, claim), stored)
  }
  return unsure.map(({ write, refused }) => {
    const own = standing.byId.get(write.product.id)
    if (own?.saves?.includes(token) === true) return 'saved'
    if (write.ifVersion === null) return refusal(standing, write)
    // The server let it through and one of its claims was had, or it was of another version.
    if (refused) return claimed(standing, write)
    const held = own?.accountId === write.product.accountId ? heldBack(own, write.ifVersion) : null
    return held === null ? 'conflict' : { heldBy: held }
  })
}

async function read(database: Database, unsure: UnsureWrite[]): Promise<Stored[]> {
  const queries = [
    products(database)
      .find<Stored>({ _id: { $in: unsure.map(({ write }) => write.product.id) } }, { projection: PROJECTION })
      .toArray()
  ]
  const refused = unsure.filter((each) => each.refused || each.write.ifVersion === null).map(({ write }) => write)
  for (const writes of Map.groupBy(refused, ({ product }) => keyOf(product, '')).values()) {
    const { accountId, projectId } = (writes[0] as ProductWrite).product
    const added = writes.filter(({ ifVersion }) => ifVersion === null).map(({ product }) => product.externalId)
    const claims = writes.flatMap(({ product }) => product.claims)
    if (added.length > 0) {
      queries.push(
        products(database)
          .find<Stored>({ accountId, projectId, externalId: { $in: added } }, { projection: PROJECTION })
          .toArray()
      )
    }
    if (claims.length > 0) {
      queries.push(
        products(database)
          .find<Stored>({ accountId, projectId, claims: { $in: claims } }, { projection: PROJECTION })
          .toArray()
      )
    }
  }
  return (await Promise.all(queries)).flat()
}

/** Why a new product was refused. That it is there weighs more than that another has its claim. */
function refusal(standing: Standing, write: ProductWrite): Verdict {
  const same = standing.byKey.get(keyOf(write.product, write.product.externalId)) ?? standing.byId.get(write.product.id)
  if (same === undefined) return claimed(standing, write)
  return same.hidden === true ? { heldBy: batchOf(same) } : 'conflict'
}

/** Whether another has one of the claims, or an open batch wants it or gives it up. */
function claimed(standing: Standing, { product }: ProductWrite): Verdict {
  const holders = product.claims
    .map((claim) => ({ claim, holder: standing.byClaim.get(keyOf(product, claim)) }))
    .filter(({ holder }) => holder !== undefined && holder._id !== product.id) as { claim: string; holder: Stored }[]
  const held = holders.find(({ holder }) => holder.pending !== undefined)
  if (
    holders.some(
      ({ claim, holder }) => holder.hidden !== true && (holder.pending?.was ?? holder.claims ?? []).includes(claim)
    )
  ) {
    return 'taken'
  }
  return held === undefined ? 'free' : { heldBy: batchOf(held.holder) }
}

const batchOf = ({ pending }: Held): string => (pending as { batch: string }).batch
const keyOf = ({ accountId, projectId }: ProjectRef, word: string): string =>
  JSON.stringify([accountId, projectId, word])
