import { setImmediate } from 'node:timers/promises'
import type { Queue } from '../../ports/queue/port.ts'
import type { ProductRecord, Store } from '../../ports/store/port.ts'
import { UNIQUE_FIELDS } from '../optimizer/rules/index.ts'
import { toClaim } from '../optimizer/unique-texts.ts'
import { runInTurns } from './chunk-sizes.ts'
import { projectKey } from './follow-up-jobs.ts'

type TextsOfProduct = Pick<ProductRecord, 'seo'>

/** Products of a group that are read at once. Each may have a hundred kilobytes. */
const PAGE_SIZE = 50
/** Products of a group that are searched for the texts of a deleted one. Shops allow up to 2,048 variants. */
const MAX_SEARCHED = 2_048

/**
 * The products of a group share texts, and one of them holds the claims. When this one is deleted, the first
 * other product with the same text is optimized again and takes the claim. The new leader is optimized, too: if its
 * texts differ, the optimizer writes them to the other variants. Pending products are marked again, because a
 * worker may be about to save one with a text that the deleted product still held. Reads and marks a bounded
 * number of products, however large the group is, unless the new leader itself is pending: then nothing tells
 * whether its texts will differ, and the whole group is marked.
 */
export async function passClaims(
  { store, queue }: { store: Store; queue: Queue },
  deleted: ProductRecord
): Promise<void> {
  const { accountId, projectId, groupId } = deleted
  if (groupId === null) return
  const project = { accountId, projectId }

  async function mark(products: { externalIds: string[] } | { externalIds: null; groupIds: string[] }): Promise<void> {
    const rows = products.externalIds?.length ?? Infinity
    const at = new Date().toISOString()
    await runInTurns({ isRemote: store.isRemote, accountId, rows }, () =>
      store.products.markOptimizePending(project, { ...products, at, force: true })
    )
    await queue.add('optimize-products', project, { key: projectKey(project) })
  }

  const held = new Set(deleted.claims)
  // A pending product may have been marked to take a claim that it does not hold yet.
  const mayTake = deleted.optimizePendingSince !== null
  const open = new Set(claimsOf(deleted).filter((claim) => mayTake || held.has(claim)))
  const heirs = new Set<string>()
  let searched = 0
  for (let afterId: string | null = null; ; ) {
    const products = await store.products.listGroup(project, groupId, { afterId, limit: PAGE_SIZE })
    const [leader] = products
    if (afterId === null && leader !== undefined && deleted.id < leader.id) {
      if (leader.optimizePendingSince !== null) return await mark({ externalIds: null, groupIds: [groupId] })
      heirs.add(leader.externalId)
    }
    for (const product of products) {
      const claims = claimsOf(product).filter((claim) => open.delete(claim))
      if (claims.length > 0 || product.optimizePendingSince !== null) heirs.add(product.externalId)
    }
    searched += products.length
    await setImmediate()
    if (open.size === 0 || products.length < PAGE_SIZE || searched >= MAX_SEARCHED) break
    afterId = products.at(-1)!.id
  }
  if (heirs.size > 0) await mark({ externalIds: [...heirs] })
}

/** The claims of the texts of a product, whether it holds them or another product of its group. */
const claimsOf = ({ seo }: TextsOfProduct): string[] =>
  UNIQUE_FIELDS.flatMap((field) => {
    const text = seo[field]?.value
    return text === undefined ? [] : [toClaim(field, text)]
  })
