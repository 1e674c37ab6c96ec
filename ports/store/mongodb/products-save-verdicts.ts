import type { ProductWrite, ProjectPlace, SaveOutcome } from '../port.ts'
import type { Database } from './database.ts'
import { products, type ProductDocument } from './products-documents.ts'

/** What became of a write; or that nothing is in its way any more; or which batch that is not finished holds what it needs. */
export type Verdict = SaveOutcome | 'free' | { heldBy: string }
/** A write that was not saved for certain; `refused`: the server said that there is one of its keys. */
export interface UnsureWrite { write: ProductWrite, refused: boolean }
type Stored = Pick<ProductDocument, '_id' | 'projectId' | 'externalId' | 'accountId' | 'version' | 'hidden' | 'saves' | 'claims'> & { pending?: { batch: string, was?: string[] } }
/** What stands in the store, by what it is asked for. */
interface Standing { byId: Map<string, Stored>, byKey: Map<string, Stored>, byClaim: Map<string, Stored> }

const PROJECTION = { projectId: 1, externalId: 1, accountId: 1, version: 1, hidden: 1, saves: 1, claims: 1, 'pending.batch': 1, 'pending.was': 1 } as const

/** Looks what stands in the way of each, in order. `token` is what the saves of this call are known by. */
export async function verdictsOf (database: Database, unsure: UnsureWrite[], token: string): Promise<Verdict[]> {
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
    return own?.pending !== undefined && own.version === write.ifVersion && own.accountId === write.product.accountId ? { heldBy: own.pending.batch } : 'conflict'
  })
}

async function read (database: Database, unsure: UnsureWrite[]): Promise<Stored[]> {
  const queries = [products(database).find<Stored>({ _id: { $in: unsure.map(({ write }) => write.product.id) } }, { projection: PROJECTION }).toArray()]
  const refused = unsure.filter((each) => each.refused).map(({ write }) => write)
  for (const writes of Map.groupBy(refused, ({ product }) => keyOf(product, '')).values()) {
    const { accountId, projectId } = (writes[0] as ProductWrite).product
    const added = writes.filter(({ ifVersion }) => ifVersion === null).map(({ product }) => product.externalId)
    const claims = writes.flatMap(({ product }) => product.claims)
    if (added.length > 0) queries.push(products(database).find<Stored>({ accountId, projectId, externalId: { $in: added } }, { projection: PROJECTION }).toArray())
    if (claims.length > 0) queries.push(products(database).find<Stored>({ accountId, projectId, claims: { $in: claims } }, { projection: PROJECTION }).toArray())
  }
  return (await Promise.all(queries)).flat()
}

/** Why a new product was refused. That it is there weighs more than that another has its claim. */
function refusal (standing: Standing, write: ProductWrite): Verdict {
  const same = standing.byKey.get(keyOf(write.product, write.product.externalId)) ?? standing.byId.get(write.product.id)
  if (same === undefined) return claimed(standing, write)
  return same.hidden === true ? { heldBy: (same.pending as { batch: string }).batch } : 'conflict'
}

/** Whether another has one of the claims, or an open batch wants it or gives it up. */
function claimed (standing: Standing, { product }: ProductWrite): Verdict {
  const holders = product.claims.map((claim) => ({ claim, holder: standing.byClaim.get(keyOf(product, claim)) }))
    .filter(({ holder }) => holder !== undefined && holder._id !== product.id) as { claim: string, holder: Stored }[]
  const held = holders.find(({ holder }) => holder.pending !== undefined)
  if (holders.some(({ claim, holder }) => holder.hidden !== true && (holder.pending?.was ?? holder.claims ?? []).includes(claim))) return 'taken'
  return held === undefined ? 'free' : { heldBy: (held.holder.pending as { batch: string }).batch }
}

const keyOf = ({ accountId, projectId }: ProjectPlace, word: string): string => JSON.stringify([accountId, projectId, word])
