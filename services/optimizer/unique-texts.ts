import { createHash } from 'node:crypto'
import { createYielder, mapInSlices } from '../../lib/async.ts'
import { normalize } from '../../lib/normalize.ts'
import type { SeoValue } from '../../ports/store/port.ts'
import type { RecentDescriptions, Similarity } from './recent-descriptions.ts'
import type { UniqueField } from './rules/index.ts'
import { MAX_SIMILARITY, similarityDigests, trigramHashes } from './similarity.ts'

const CLAIM_PREFIXES: Record<UniqueField, string> = {
  handle: 'handle',
  pageTitle: 'page_title',
  metaTitle: 'meta_title',
  metaDescription: 'meta_description'
}
const DIGEST_LENGTH = 22
const NO_HASHES = new Uint32Array()
const TAKEN: Similarity = { similarity: 1, neighbor: null }
/** A text that shares a claim with one that is not known is taken as similar. */
const MIN_SHARE = MAX_SIMILARITY ** 3

/**
 * The claim that a product holds while it uses a text: `handle:red-shoes`, `page_title:<132 bits of
 * SHA-256, base64url>`. Texts that differ only in case share a claim.
 */
export function toClaim(field: UniqueField, text: string): string {
  if (field === 'handle') return `${CLAIM_PREFIXES.handle}:${text}`
  const digest = createHash('sha256').update(normalize(text, 'NFC').toLowerCase()).digest('base64url')
  return `${CLAIM_PREFIXES[field]}:${digest.slice(0, DIGEST_LENGTH)}`
}

/** Claims that similar descriptions share, so that two products do not get almost the same text. */
function similarityClaims(hashes: Uint32Array): string[] {
  return similarityDigests(hashes).map((digest) => `similar:${digest}`)
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
  claim: string
  /** The trigrams of a description; empty for other fields. */
  hashes: Uint32Array
  /** Claims that similar descriptions share. */
  similarClaims: string[]
}
interface PendingText extends Attempt {
  request: TextRequest
  following: Candidates
  /** Earlier candidates. */
  rejected: RejectedText[]
}
/** Candidates of a request in order, some of which are generated before they are needed. */
interface Candidates {
  next: () => Attempt | null
  /** The next candidates, which `next` returns later. */
  peek: (count: number) => Attempt[]
}
interface RejectedText extends Attempt, Similarity {}

/** What is known of the texts of a project. */
export interface KnownTexts {
  /** Returns the current owners of claims. It is called once per step for all open requests. */
  findOwners: (claims: string[]) => Promise<ClaimOwner[]>
  /** The new descriptions are added to it. */
  recent: RecentDescriptions
  /**
   * Whether a call takes longer than the generation of texts: then each call also asks for some of the
   * candidates that may follow, so that a request with n candidates takes about log n calls.
   */
  isRemote: boolean
}

/**
 * Resolves text requests so that no two products of the project get the same text in a field, except
 * for descriptions and products of one group. Fixed values come first, then the order of the requests
 * decides.
 */
export async function resolveClaims(
  requests: TextRequest[],
  { findOwners, recent, isRemote }: KnownTexts
): Promise<ResolvedText[]> {
  const resolved: ResolvedText[] = []
  // A comparison with thousands of descriptions takes up to a few milliseconds.
  const pause = createYielder()
  const owners = new Map<string, Omit<ClaimOwner, 'claim'>>()
  const known = new Set<string>()
  const isFree = (claim: string, request: TextRequest) => isOwn(owners.get(claim), request)

  function resolve(request: TextRequest, { value, claim, hashes, similarClaims }: Attempt): void {
    // A claim of another product stays there.
    const claims = [claim, ...similarClaims].filter((claim) => isFree(claim, request))
    for (const claim of claims) if (!owners.has(claim)) owners.set(claim, request)
    if (request.field === 'metaDescription') recent.add(request, hashes)
    resolved.push({
      request,
      value,
      claims: claims.filter((claim) => owners.get(claim)?.productId === request.productId),
      isDuplicate: !isFree(claim, request)
    })
  }

  async function next({
    request,
    rejected,
    following
  }: Pick<PendingText, 'request' | 'rejected' | 'following'>): Promise<PendingText[]> {
    const attempt = following.next()
    if (attempt !== null) return [{ request, rejected, following, ...attempt }]
    if (request.field !== 'metaDescription' || rejected.length === 0) {
      resolved.push({ request, value: null, claims: [], isDuplicate: false })
      return []
    }
    resolve(request, (await leastSimilar(request, rejected)) ?? rejected[0]!)
    return []
  }

  /**
   * The text that is least similar to other descriptions and not the same as one. Since it was rejected, other
   * requests may have got this text or a similar one.
   */
  async function leastSimilar(request: TextRequest, rejected: RejectedText[]): Promise<RejectedText | null> {
    let least: RejectedText | null = null
    for (const attempt of rejected) {
      if (!isFree(attempt.claim, request)) continue
      await pause()
      const { similarity } = similarityOf(attempt, { request, rejected })
      if (least === null || similarity < least.similarity) least = { ...attempt, similarity }
    }
    return least
  }

  /** The exact similarity to recent texts; to others, an estimate by the number of common claims. */
  function similarityOf(
    { hashes, similarClaims }: Attempt,
    { request, rejected }: Pick<PendingText, 'request' | 'rejected'>
  ): Similarity {
    if (request.field !== 'metaDescription' || request.fixed !== null) return { similarity: 0, neighbor: null }
    const near = new Set(rejected.map(({ neighbor }) => neighbor).filter((neighbor) => neighbor !== null))
    const recently = recent.mostSimilar(request, hashes, [...near])
    const shared = similarClaims.filter((claim) => !isFree(claim, request) && !recent.has(owners.get(claim)!.productId))
    if (shared.length === 0) return recently
    const estimate = Math.cbrt(Math.max(shared.length / similarClaims.length, MIN_SHARE))
    return { ...recently, similarity: Math.max(estimate, recently.similarity) }
  }

  let open: PendingText[] = []
  for (const request of requests.toSorted((a, b) => Number(b.fixed !== null) - Number(a.fixed !== null))) {
    // The first candidate makes the texts of the product, which takes milliseconds.
    await pause()
    const following = createCandidates(request)
    if (request.fixed === null) open.push(...(await next({ request, rejected: [], following })))
    else open.push({ request, rejected: [], following, ...toAttempt(request, request.fixed) })
  }
  /** Candidates of each request whose claims are looked up in advance. */
  let ahead = 0
  const isUnknown = (attempt: Attempt) => claimsOf(attempt).some((claim) => !known.has(claim))
  while (open.length > 0) {
    if (open.some(isUnknown)) {
      const unknown = new Set(await claimsAhead(open, ahead)).difference(known)
      for (const { claim, ...owner } of await findOwners([...unknown])) owners.set(claim, owner)
      for (const claim of unknown) known.add(claim)
      if (isRemote) ahead = Math.max(4, 4 * ahead)
    }
    const remaining: PendingText[] = []
    for (const { request, rejected, following, ...attempt } of open) {
      await pause()
      const isTaken = !isFree(attempt.claim, request)
      const { similarity, neighbor } =
        isTaken && request.fixed === null ? TAKEN : similarityOf(attempt, { request, rejected })
      if (similarity < MAX_SIMILARITY) resolve(request, attempt)
      else {
        const others = [...rejected, { ...attempt, similarity, neighbor }]
        remaining.push(...(await next({ request, rejected: others, following })))
      }
    }
    open = remaining
  }
  return resolved
}

/** The claims of the current candidates, and of so many that may follow each of them. */
async function claimsAhead(open: PendingText[], ahead: number): Promise<string[]> {
  const claims = await mapInSlices(open, (attempt) => [attempt, ...attempt.following.peek(ahead)].flatMap(claimsOf))
  return claims.flat()
}

const claimsOf = ({ claim, similarClaims }: Attempt): string[] => [claim, ...similarClaims]

function createCandidates(request: TextRequest): Candidates {
  const generated: Attempt[] = []
  const generate = (): boolean => {
    const { done, value } = request.candidates.next()
    if (done !== true) generated.push(toAttempt(request, value))
    return done !== true
  }
  return {
    next() {
      if (generated.length === 0) generate()
      return generated.shift() ?? null
    },
    peek(count) {
      while (generated.length < count && generate());
      return generated.slice(0, count)
    }
  }
}

function toAttempt({ field, fixed }: TextRequest, value: SeoValue): Attempt {
  const hashes = field === 'metaDescription' ? trigramHashes(value.value) : NO_HASHES
  // What a person wrote may be similar to anything.
  const similarClaims = field === 'metaDescription' && fixed === null ? similarityClaims(hashes) : []
  return { value, claim: toClaim(field, value.value), hashes, similarClaims }
}

function isOwn(owner: Omit<ClaimOwner, 'claim'> | undefined, { productId, groupId }: TextRequest): boolean {
  return owner === undefined || owner.productId === productId || (groupId !== null && owner.groupId === groupId)
}
