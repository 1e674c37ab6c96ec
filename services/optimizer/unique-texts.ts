import { createHash } from 'node:crypto'
import type { SeoValue } from '../../ports/store/port.ts'
import type { UniqueField } from './rules/index.ts'
import { similarityDigests } from './similarity.ts'

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

/** Claims that similar descriptions share, so that two products do not get almost the same text. */
function similarityClaims(text: string): string[] {
  return similarityDigests(text).map((digest) => `similar:${digest}`)
}

/**
 * A request for a unique text. A fixed value is always used, even if another product has the same
 * text. Otherwise the first candidate that no other product holds is used. Descriptions should also
 * differ from similar ones; if no candidate does, or all are taken, a text is repeated.
 */
export interface TextRequest {
  productId: string
  /** Products of a group may have the same texts. */
  groupId: string | null
  field: UniqueField
  fixed: SeoValue | null
  candidates: Iterator<SeoValue>
}

/**
 * The text for a request. `claims` are those that the product is to hold: none for a text that
 * another product holds. `value` is null if other products hold all candidates.
 */
export interface ResolvedText {
  request: TextRequest
  value: SeoValue | null
  claims: string[]
  /** Whether a product that is not of the group has the same text. */
  isDuplicate: boolean
}

export interface ClaimOwner {
  claim: string
  productId: string
  groupId: string | null
}

interface Attempt {
  value: SeoValue
  /** The claim of the text, then those of similar texts. */
  claims: [string, ...string[]]
}
interface PendingText extends Attempt {
  request: TextRequest
  /** Earlier candidates. */
  rejected: Attempt[]
}

/**
 * Resolves text requests so that no two products of the project get the same text in a field, except
 * for descriptions and products of one group. Fixed values come first, then the order of the requests
 * decides.
 * `findOwners` returns the current owners of claims. It is called once per step for all open
 * requests.
 */
export async function resolveClaims(
  requests: TextRequest[],
  findOwners: (claims: string[]) => Promise<ClaimOwner[]>
): Promise<ResolvedText[]> {
  const resolved: ResolvedText[] = []
  const owners = new Map<string, Omit<ClaimOwner, 'claim'>>()
  const known = new Set<string>()
  const isFree = (claim: string, request: TextRequest) => isOwn(owners.get(claim), request)

  function resolve(request: TextRequest, value: SeoValue, claims: string[]): void {
    for (const claim of claims) if (!owners.has(claim)) owners.set(claim, request)
    resolved.push({
      request,
      value,
      // A claim of another product of the group stays there.
      claims: claims.filter((claim) => owners.get(claim)?.productId === request.productId),
      isDuplicate: !isFree(toClaim(request.field, value.value), request)
    })
  }

  function next({ request, rejected }: Pick<PendingText, 'request' | 'rejected'>): PendingText[] {
    const candidate = request.candidates.next()
    if (!candidate.done) return [{ request, rejected, ...toAttempt(request, candidate.value) }]
    if (request.field !== 'metaDescription' || rejected.length === 0) {
      resolved.push({ request, value: null, claims: [], isDuplicate: false })
      return []
    }
    // The least similar to other descriptions that is not the same; or else the best one.
    const freeClaims = ({ claims }: Attempt) => claims.filter((claim) => isFree(claim, request))
    const [similar = null] = rejected
      .filter(({ claims: [claim] }) => isFree(claim, request))
      .sort((a, b) => freeClaims(b).length - freeClaims(a).length)
    resolve(request, (similar ?? rejected[0]!).value, similar === null ? [] : freeClaims(similar))
    return []
  }

  let open = requests
    .toSorted((a, b) => Number(b.fixed !== null) - Number(a.fixed !== null))
    .flatMap((request) =>
      request.fixed === null
        ? next({ request, rejected: [] })
        : [{ request, rejected: [], ...toAttempt(request, request.fixed) }]
    )
  while (open.length > 0) {
    const unknown = [...new Set(open.flatMap(({ claims }) => claims))].filter((claim) => !known.has(claim))
    for (const { claim, ...owner } of await findOwners(unknown)) owners.set(claim, owner)
    for (const claim of unknown) known.add(claim)
    const following: PendingText[] = []
    for (const { request, rejected, ...attempt } of open) {
      const free = attempt.claims.filter((claim) => isFree(claim, request))
      if (free.length === attempt.claims.length) resolve(request, attempt.value, attempt.claims)
      else if (request.fixed !== null) resolve(request, attempt.value, free)
      else following.push(...next({ request, rejected: [...rejected, attempt] }))
    }
    open = following
  }
  return resolved
}

function toAttempt({ field, fixed }: TextRequest, value: SeoValue): Attempt {
  // What a person wrote may be similar to anything.
  const similar = field === 'metaDescription' && fixed === null ? similarityClaims(value.value) : []
  return { value, claims: [toClaim(field, value.value), ...similar] }
}

function isOwn(owner: Omit<ClaimOwner, 'claim'> | undefined, { productId, groupId }: TextRequest): boolean {
  return owner === undefined || owner.productId === productId || (groupId !== null && owner.groupId === groupId)
}
