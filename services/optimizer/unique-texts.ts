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
 * The claim that a product holds while it uses a text: `handle:red-shoes`, `page_title:<132 bits of
 * SHA-256, base64url>`. Texts that differ only in case share a claim.
 */
export function toClaim(field: UniqueField, text: string): string {
  if (field === 'handle') return `${CLAIM_PREFIXES.handle}:${text}`
  const digest = createHash('sha256').update(text.normalize('NFC').toLowerCase()).digest('base64url')
  return `${CLAIM_PREFIXES[field]}:${digest.slice(0, DIGEST_LENGTH)}`
}

/**
 * A request for a unique text. A fixed value is always used, even if another product has the same
 * text. Otherwise the first candidate that no other product holds is used.
 */
export interface TextRequest {
  productId: string
  field: UniqueField
  fixed: SeoValue | null
  candidates: Iterator<SeoValue>
}

/**
 * The text for a request. `claim` is null for a fixed value that another product holds. `value` is
 * null if other products hold all candidates.
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
 * Resolves text requests so that no two products of the project get the same text in a field. Fixed
 * values come first, then the order of the requests decides.
 * `findOwners` returns the current owners of claims. It is called once per step for all open
 * requests.
 */
export async function resolveClaims(
  requests: TextRequest[],
  findOwners: (claims: string[]) => Promise<{ claim: string; productId: string }[]>
): Promise<ResolvedText[]> {
  const resolved: ResolvedText[] = []
  const owners = new Map<string, string>()
  const known = new Set<string>()
  let open = requests
    .toSorted((a, b) => Number(b.fixed !== null) - Number(a.fixed !== null))
    .flatMap((request) => nextCandidate(request, request.fixed, resolved))
  while (open.length > 0) {
    const unknown = [...new Set(open.map(({ claim }) => claim))].filter((claim) => !known.has(claim))
    for (const { claim, productId } of await findOwners(unknown)) owners.set(claim, productId)
    for (const claim of unknown) known.add(claim)
    const next: PendingText[] = []
    for (const { request, value, claim } of open) {
      const owner = owners.get(claim) ?? request.productId
      owners.set(claim, owner)
      if (owner === request.productId) resolved.push({ request, value, claim })
      else if (request.fixed !== null) resolved.push({ request, value, claim: null })
      else next.push(...nextCandidate(request, null, resolved))
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
