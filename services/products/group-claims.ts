import { createYielder } from '../../lib/async.ts'
import type { Queue } from '../../ports/queue/port.ts'
import type { ProductRecord, ProjectRef, Store } from '../../ports/store/port.ts'
import { UNIQUE_FIELDS } from '../optimizer/rules/index.ts'
import { toClaim } from '../optimizer/unique-texts.ts'
import { runInTurns } from './chunk-sizes.ts'
import { projectKey } from './follow-up-jobs.ts'

type TextsOfProduct = Pick<ProductRecord, 'seo'>

interface GroupRef extends ProjectRef {
  groupId: string
}

/** What the other products of a group must take over. */
export interface GivenUp {
  /** The claims of texts that others of the group may have. */
  claims: Set<string>
  /** The ids of products that were deleted, or moved out of the group. */
  departed: string[]
}

interface Jobs {
  store: Store
  queue: Queue
}

/** Products of a group that are read first: one of them usually has the text. */
const FIRST_PAGE_SIZE = 8
/** Products that are read at once after them. Each may have a hundred kilobytes. */
const PAGE_SIZE = 50
/** Products of a group that are searched for the texts of a deleted one. Shops allow up to 2,048 variants. */
const MAX_SEARCHED = 2_048
/** Searches for heirs that are deleted before they are marked. */
const MAX_ATTEMPTS = 2

/**
 * Marks are dated back by this, in milliseconds, so that the group takes its texts before the product that moved out
 * of it is optimized.
 */
const PRECEDENCE_MS = 60_000

/** The claims that a product leaves to its group when it is deleted, or moves out of the group. */
export function claimsLeft(product: ProductRecord): string[] {
  const held = new Set(product.claims)
  // A pending product may have been marked to take a claim that it does not hold yet.
  const mayTake = product.optimizePendingSince !== null
  return claimsOf(product).filter((claim) => mayTake || held.has(claim))
}

/** The claims that a product takes along when it moves out of its group: those of manual values. */
export function claimsTaken({ seo, claims }: ProductRecord): string[] {
  const manual = new Set(
    UNIQUE_FIELDS.flatMap((field) => (seo[field]?.source === 'human' ? [toClaim(field, seo[field].value)] : []))
  )
  return claims.filter((claim) => manual.has(claim))
}

/**
 * The products of a group share texts, and one of them holds the claims. When this one is deleted or moves out of
 * the group, the first other product with the same text is optimized again and takes the claim. The new leader is
 * optimized, too: if its texts differ, the optimizer writes them to the other variants. Pending products are marked
 * again, because a worker may be about to save one with a text that the former product still held. Reads and marks
 * a bounded number of products, however large the group is.
 */
export async function passClaims(
  jobs: Jobs,
  project: ProjectRef,
  groups: Iterable<readonly [groupId: string, GivenUp]>
): Promise<void> {
  let open = [...groups]
  for (let attempt = 1; attempt <= MAX_ATTEMPTS && open.length > 0; attempt++) {
    const heirs: string[] = []
    const withHeirs: typeof open = []
    for (const [groupId, givenUp] of open) {
      const found = await findHeirs(jobs.store, { ...project, groupId }, givenUp)
      if (found.length > 0) withHeirs.push([groupId, givenUp])
      heirs.push(...found)
    }
    open = withHeirs
    // Fewer, if some were deleted since they were found: they did not know what they were to take.
    if (heirs.length === 0 || (await mark(jobs, project, heirs)) >= heirs.length) return
  }
}

/** The external ids of the products that must be optimized. */
async function findHeirs(
  store: Store,
  { groupId, ...project }: GroupRef,
  { claims, departed }: GivenUp
): Promise<string[]> {
  const open = new Set(claims)
  const heirs = new Set<string>()
  const pause = createYielder()
  let searched = 0
  for (let afterId: string | null = null; ; ) {
    const limit = afterId === null ? FIRST_PAGE_SIZE : PAGE_SIZE
    const products = await store.products.listGroup(project, groupId, { afterId, limit })
    const [leader] = products
    if (afterId === null && leader !== undefined && departed.some((id) => id < leader.id)) {
      heirs.add(leader.externalId)
    }
    for (const product of products) {
      const taken = claimsOf(product).filter((claim) => open.delete(claim))
      if (taken.length > 0 || product.optimizePendingSince !== null) heirs.add(product.externalId)
    }
    searched += products.length
    await pause()
    if (open.size === 0 || products.length < limit || searched >= MAX_SEARCHED) return [...heirs]
    afterId = products.at(-1)!.id
  }
}

/** Marks the products, and returns how many of them there are. */
async function mark({ store, queue }: Jobs, project: ProjectRef, externalIds: string[]): Promise<number> {
  const { accountId, projectId } = project
  const at = new Date(Date.now() - PRECEDENCE_MS).toISOString()
  const rows = externalIds.length
  const marked = await runInTurns({ isRemote: store.isRemote, accountId, rows }, () =>
    store.products.markOptimizePending({ accountId, projectId }, { externalIds, at, force: true })
  )
  await queue.add('optimize-products', { accountId, projectId }, { key: projectKey(project) })
  return marked
}

/** The claims of the texts of a product, whether it holds them or another product of its group. */
const claimsOf = ({ seo }: TextsOfProduct): string[] =>
  UNIQUE_FIELDS.flatMap((field) => {
    const text = seo[field]?.value
    return text === undefined ? [] : [toClaim(field, text)]
  })
