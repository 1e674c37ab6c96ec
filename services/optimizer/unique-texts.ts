import { createHash } from 'node:crypto'
import type { UniqueField } from './rules/index.ts'
import type { SeoValue } from '../../ports/store/port.ts'

const CLAIM_PREFIXES: Record<UniqueField, string> = {
  handle: 'handle',
  pageTitle: 'page_title',
  metaTitle: 'meta_title',
  metaDescription: 'meta_description'
}
const DIGEST_LENGTH = 22

/**
 * The word that a product of the project holds while it has this text: `handle:red-shoes`,
 * `page_title:<132 bits of SHA-256, base64url>`. Texts that differ in case alone are one.
 */
export function toClaim(field: UniqueField, text: string): string {
  if (field === 'handle') return `${CLAIM_PREFIXES.handle}:${text}`
  return `${CLAIM_PREFIXES[field]}:${createHash('sha256').update(text.normalize('NFC').toLowerCase()).digest('base64url').slice(0, DIGEST_LENGTH)}`
}

/**
 * What a product would have in a field. A kept value stays whoever else has it; of the candidates,
 * the first that nobody else has is taken.
 */
export interface TextRequest {
  productId: string
  field: UniqueField
  fixed: SeoValue | null
  candidates: Iterator<SeoValue>
}

/**
 * What came of a wish; `claim` is null for a kept value that another product has. No value: every
 * candidate is another's.
 */
export interface ResolvedText {
  request: TextRequest
  value: SeoValue | null
  claim: string | null
}

interface PendingText {
  request: TextRequest
  value: SeoValue
  claim: string
}

/**
 * Grants the wishes: no two products get the same text in a field, neither of these nor of the
 * others of the project. Kept values come first, then the order of the wishes
 * decides. `claimed` tells who has which of these claims now; it is asked once a step, for all
 * wishes at once.
 */
export async function resolveClaims(
  wishes: TextRequest[],
  claimed: (claims: string[]) => Promise<{ claim: string; productId: string }[]>
): Promise<ResolvedText[]> {
  const resolved: ResolvedText[] = []
  const holders = new Map<string, string>()
  const known = new Set<string>()
  let open = wishes
    .toSorted((a, b) => Number(b.fixed !== null) - Number(a.fixed !== null))
    .flatMap((request) => nextCandidate(request, request.fixed, resolved))
  while (open.length > 0) {
    const unknown = [...new Set(open.map(({ claim }) => claim))].filter((claim) => !known.has(claim))
    for (const { claim, productId } of await claimed(unknown)) holders.set(claim, productId)
    for (const claim of unknown) known.add(claim)
    const next: PendingText[] = []
    for (const { request: wish, value, claim } of open) {
      const holder = holders.get(claim) ?? wish.productId
      holders.set(claim, holder)
      if (holder === wish.productId) resolved.push({ request: wish, value, claim })
      else if (wish.fixed !== null) resolved.push({ request: wish, value, claim: null })
      else next.push(...nextCandidate(wish, null, resolved))
    }
    open = next
  }
  return resolved
}

function nextCandidate(request: TextRequest, fixed: SeoValue | null, resolved: ResolvedText[]): PendingText[] {
  const value = fixed ?? nextValue(request.candidates)
  if (value !== null) return [{ request, value, claim: toClaim(request.field, value.value) }]
  resolved.push({ request, value: null, claim: null })
  return []
}

function nextValue(candidates: Iterator<SeoValue>): SeoValue | null {
  const next = candidates.next()
  return next.done ? null : next.value
}
