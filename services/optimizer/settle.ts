import type { SeoValue } from '../../ports/store/port.ts'
import { claimOf } from './claims.ts'
import type { UniqueField } from './rules/index.ts'

/**
 * What a product would have in a field. A kept value stays whoever else has it; of the candidates,
 * the first that nobody else has is taken.
 */
export interface Wish {
  productId: string
  field: UniqueField
  kept: SeoValue | null
  candidates: Iterator<SeoValue>
}

/**
 * What came of a wish; `claim` is null for a kept value that another product has. No value: every
 * candidate is another's.
 */
export interface Settled {
  wish: Wish
  value: SeoValue | null
  claim: string | null
}

interface Open {
  wish: Wish
  value: SeoValue
  claim: string
}

/**
 * Grants the wishes: no two products get the same text in a field, neither of these nor of the
 * others of the project. Kept values come first, then the order of the wishes
 * decides. `claimed` tells who has which of these claims now; it is asked once a step, for all
 * wishes at once.
 */
export async function settle(
  wishes: Wish[],
  claimed: (claims: string[]) => Promise<{ claim: string; productId: string }[]>
): Promise<Settled[]> {
  const settled: Settled[] = []
  const holders = new Map<string, string>()
  const known = new Set<string>()
  let open = wishes
    .toSorted((a, b) => Number(b.kept !== null) - Number(a.kept !== null))
    .flatMap((wish) => opened(wish, wish.kept, settled))
  while (open.length > 0) {
    const unknown = [...new Set(open.map(({ claim }) => claim))].filter((claim) => !known.has(claim))
    for (const { claim, productId } of await claimed(unknown)) holders.set(claim, productId)
    for (const claim of unknown) known.add(claim)
    const next: Open[] = []
    for (const { wish, value, claim } of open) {
      const holder = holders.get(claim) ?? wish.productId
      holders.set(claim, holder)
      if (holder === wish.productId) settled.push({ wish, value, claim })
      else if (wish.kept !== null) settled.push({ wish, value, claim: null })
      else next.push(...opened(wish, null, settled))
    }
    open = next
  }
  return settled
}

function opened(wish: Wish, kept: SeoValue | null, settled: Settled[]): Open[] {
  const value = kept ?? nextOf(wish.candidates)
  if (value !== null) return [{ wish, value, claim: claimOf(wish.field, value.value) }]
  settled.push({ wish, value: null, claim: null })
  return []
}

function nextOf(candidates: Iterator<SeoValue>): SeoValue | null {
  const next = candidates.next()
  return next.done ? null : next.value
}
