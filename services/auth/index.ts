import { problem, type ApiError } from '../../errors.ts'
import type { Limits, RateLimitRequest, RateLimitResult } from '../../ports/limits/port.ts'
import type { AccountRecord, Store } from '../../ports/store/port.ts'
import type { Feature } from '../../schemas/account.ts'
import { hourlyLimit, type Accounts } from '../accounts.ts'
import { hashKey, isWellFormedKey } from '../api-keys/key-format.ts'
import type { Counters } from '../counters.ts'
import type { Usage } from '../usage.ts'
import { addressBucket } from './client-address.ts'
import { createKeyCache, createKeyUsage, type KeyCaller, type LoadedKey } from './key-cache.ts'
import type { Sessions } from './sessions.ts'

/** The authenticated caller. */
export type Caller =
  | KeyCaller
  | { kind: 'session'; accountId: string; userId: string; admin: boolean; features: Feature[] }
  | { kind: 'anonymous' }

/** An API key that is cached, by the digest of its value. */
export interface CachedKey {
  hash: string
  loaded: LoadedKey
}

/** A request with a cached key that was counted against the limit of its account. */
export interface CountedKey extends CachedKey {
  result: RateLimitResult
}

/** The result of authentication: the caller, the state of its rate limit, and why it is rejected. */
export interface AuthContext {
  caller: Caller
  rateLimit: RateLimitResult
  /** The applied limit: a plan, `custom`, `admin`, `address`, `image-variants` or `failed-credentials`. */
  policy: string
  /** `rate_limited` or `unauthenticated`; null when the request may proceed. */
  error: ApiError | null
  /** Takes the request back from the rate limit. Null where every response counts. */
  refund?: (() => RateLimitResult | Promise<RateLimitResult>) | null
}

/**
 * What a request presents. Cost 0 reads the limit without counting, and is never rate limited: a
 * bucket may hold more than its limit after the limit was lowered or Redis was down.
 */
export interface AuthRequest {
  /** `image`: a public image, which counts only if it has to be created (`countImageVariant`). */
  kind: 'key' | 'session' | 'public' | 'image'
  credential: string | null
  address: string
  cost: 0 | 1
  /** The request was counted already, with this result. */
  counted?: CountedKey | undefined
}
type CredentialRequest = AuthRequest & { credential: string }

export type Auth = ReturnType<typeof createAuth>

/** Invalid credentials accepted from one client address in an hour. Further ones receive a 429. */
export const FAILED_CREDENTIALS_PER_HOUR = 300
/**
 * Requests an hour of an administrator, whatever the plan of the account. The command line sends
 * one request per file (docs/decisions/0004).
 */
export const ADMIN_REQUESTS_PER_HOUR = 20_000
const anonymous: Caller = { kind: 'anonymous' }

interface AuthDependencies {
  store: Store
  limits: Limits
  accounts: Accounts
  sessions: Sessions
  usage: Usage
  brand: string
  addressLimit: number
  imageVariantLimit: number
  counts: Counters
}

/**
 * Authenticates requests and counts them against their rate limit. Each request consumes from one
 * bucket: the account's with a valid key, the user's with a valid session, otherwise the client
 * address's. The result is synchronous when the key is cached and the limits are in memory.
 */
export function createAuth({
  store,
  limits,
  accounts,
  sessions,
  usage,
  brand,
  addressLimit,
  imageVariantLimit,
  counts
}: AuthDependencies) {
  const keys = createKeyCache({ store })
  const keyUsage = createKeyUsage({ store })

  function authenticateAddress(address: string, cost: 0 | 1): AuthContext | Promise<AuthContext> {
    const toContext = (rateLimit: RateLimitResult): AuthContext => ({
      caller: anonymous,
      rateLimit,
      policy: 'address',
      error: rateLimitError(rateLimit, cost > 0)
    })
    const result = limits.consume({ bucket: addressBucket(address), limit: addressLimit, cost })
    return result instanceof Promise ? result.then(toContext) : toContext(result)
  }

  const consumeImageVariant = (address: string, cost: 0 | 1) =>
    limits.consume({ bucket: `image-variants:${addressBucket(address)}`, limit: imageVariantLimit, cost })

  function authenticateImage(address: string): AuthContext | Promise<AuthContext> {
    const toContext = (rateLimit: RateLimitResult): AuthContext => ({
      caller: anonymous,
      rateLimit,
      policy: 'image-variants',
      error: null
    })
    const result = consumeImageVariant(address, 0)
    return result instanceof Promise ? result.then(toContext) : toContext(result)
  }

  /**
   * Rejects an invalid credential. It counts twice against the address: as a failure and as a
   * request. Past the limit of failures it no longer counts as a request, so that other clients at
   * the address keep their requests.
   */
  async function rejectCredential(request: AuthRequest): Promise<AuthContext> {
    const failures = await limits.consume({
      bucket: `failed-${addressBucket(request.address)}`,
      limit: FAILED_CREDENTIALS_PER_HOUR,
      cost: request.cost
    })
    const error = rateLimitError(failures, request.cost > 0)
    if (error !== null) return { caller: anonymous, rateLimit: failures, policy: 'failed-credentials', error }
    const context = await authenticateAddress(request.address, request.cost)
    return { ...context, error: context.error ?? unauthenticated(request, brand) }
  }

  function consumeAccount({ account }: LoadedKey, cost: 0 | 1): RateLimitResult | Promise<RateLimitResult> {
    return limits.consume(toAccountRequest(account, cost))
  }

  function acceptKey({ key, account, caller }: LoadedKey, rateLimit: RateLimitResult, counted: boolean): AuthContext {
    const now = Date.now()
    if (rateLimit.allowed) keyUsage.record(key.id, now)
    if (counted) usage.count(account.id, rateLimit.allowed, now)
    const error = rateLimitError(rateLimit, counted)
    const isRefundable = account.countNotModified === false && counted && error === null
    const refund = isRefundable ? () => limits.refund(toAccountRequest(account, 1)) : null
    return { caller, rateLimit, policy: policyOf(account), error, refund }
  }

  const isInactive = ({ key, expiresAtMs }: LoadedKey) => key.disabled || expiresAtMs <= Date.now()

  /**
   * Loads a key whose account is unknown, so that no epoch could be read before. It is used once: the
   * next request loads it again, under the epoch that was read before.
   */
  async function authenticateUnknownKey(hash: string, request: AuthRequest): Promise<AuthContext> {
    counts.apiKeyCache.miss += 1
    const loaded = await keys.load(hash, null)
    if (loaded === null || isInactive(loaded)) return await rejectCredential(request)
    return acceptKey(loaded, await consumeAccount(loaded, request.cost), request.cost > 0)
  }

  /**
   * Loads a key again after the account has changed, or while the epoch is unknown. The rate limit
   * result is kept unless it was decided under another limit.
   */
  async function reloadKey(hash: string, request: AuthRequest, result: RateLimitResult): Promise<AuthContext> {
    counts.apiKeyCache.miss += 1
    const { keyEpoch } = result
    const loaded = await keys.load(hash, Number.isNaN(keyEpoch) ? null : keyEpoch)
    if (loaded === null || isInactive(loaded)) {
      return await rejectCredential({ ...request, cost: remainingCost(request, result) })
    }
    const sameLimit = hourlyLimit(loaded.account) === result.limit
    return acceptKey(
      loaded,
      sameLimit ? result : await consumeAccount(loaded, remainingCost(request, result)),
      request.cost > 0
    )
  }

  function authenticateKey(request: CredentialRequest): AuthContext | Promise<AuthContext> {
    if (request.counted !== undefined) return settle(request.counted, request)
    const hash = hashKey(request.credential)
    const loaded = keys.get(hash)
    if (loaded === undefined) {
      return isWellFormedKey(request.credential, brand)
        ? authenticateUnknownKey(hash, request)
        : rejectCredential(request)
    }
    if (isInactive(loaded)) return authenticateUnknownKey(hash, request)
    const result = consumeAccount(loaded, request.cost)
    return result instanceof Promise
      ? result.then((decided) => settle({ hash, loaded, result: decided }, request))
      : settle({ hash, loaded, result }, request)
  }

  function settle(counted: CountedKey, request: AuthRequest): AuthContext | Promise<AuthContext> {
    const { hash, loaded, result } = counted
    if (!keys.isValid(loaded, result.keyEpoch)) return reloadKey(hash, request, result)
    counts.apiKeyCache.hit += 1
    return acceptKey(loaded, result, request.cost > 0)
  }

  async function authenticateSession(request: CredentialRequest): Promise<AuthContext> {
    const session = await sessions.verify(request.credential)
    if (session === null) return await rejectCredential(request)
    const account = await accounts.ensure(session.accountId)
    const { accountId, userId, admin } = session
    const rateLimit = await limits.consume(
      admin
        ? { bucket: `admin:${userId}`, limit: ADMIN_REQUESTS_PER_HOUR, cost: request.cost }
        : { bucket: `user:${userId}`, limit: hourlyLimit(account), cost: request.cost }
    )
    return {
      caller: { kind: 'session', accountId, userId, admin, features: account.features },
      rateLimit,
      policy: admin ? 'admin' : policyOf(account),
      error: rateLimitError(rateLimit, request.cost > 0)
    }
  }

  return {
    /**
     * Identifies the caller and consumes from its rate limit. Throws `unavailable` when the
     * identity provider's keys cannot be read; rejections are reported in the result.
     */
    authenticate(request: AuthRequest): AuthContext | Promise<AuthContext> {
      const { kind, credential, address, cost } = request
      if (kind === 'public') return authenticateAddress(address, cost)
      if (kind === 'image') return authenticateImage(address)
      if (credential === null) {
        const reject = (context: AuthContext): AuthContext => ({
          ...context,
          error: context.error ?? unauthenticated(request, brand)
        })
        const context = authenticateAddress(address, cost)
        return context instanceof Promise ? context.then(reject) : reject(context)
      }
      return kind === 'key'
        ? authenticateKey({ ...request, credential })
        : authenticateSession({ ...request, credential })
    },

    /** The key with this value, if it is cached and active. It may be outdated: `acceptCounted` tells. */
    findCachedKey(credential: string): CachedKey | null {
      const hash = hashKey(credential)
      const loaded = keys.get(hash)
      return loaded === undefined || isInactive(loaded) ? null : { hash, loaded }
    },

    /** Counts a request against the limit of the key's account. */
    countKey(key: CachedKey): CountedKey | Promise<CountedKey> {
      const result = consumeAccount(key.loaded, 1)
      return result instanceof Promise ? result.then((decided) => ({ ...key, result: decided })) : { ...key, result }
    },

    /** Whether `acceptCounted` would return a context now. */
    isAcceptable: ({ loaded, result }: CountedKey): boolean => result.allowed && keys.isValid(loaded, result.keyEpoch),

    /**
     * The context of a request that was counted. Null if the key is outdated or the limit is exceeded:
     * pass the count to `authenticate`.
     */
    acceptCounted({ loaded, result }: CountedKey): AuthContext | null {
      if (!result.allowed || !keys.isValid(loaded, result.keyEpoch)) return null
      counts.apiKeyCache.hit += 1
      return acceptKey(loaded, result, true)
    },

    /**
     * Counts an image variant that is created for a client address. Throws `rate_limited`.
     */
    async countImageVariant(address: string): Promise<void> {
      const result = await consumeImageVariant(address, 1)
      if (!result.allowed) throw rateLimited(result, 'new image variants')
    },

    /** The state of the account's rate limit. Counts nothing. */
    async rateLimitStatus(accountId: string): Promise<RateLimitResult> {
      return await limits.consume(toAccountRequest(await accounts.getRecord(accountId), 0))
    },

    /** Writes the last use of API keys. Call it once a minute and at shutdown. */
    flush: () => keyUsage.flush()
  }
}

const toAccountRequest = (account: AccountRecord, cost: 0 | 1): RateLimitRequest => ({
  bucket: `account:${account.id}`,
  limit: hourlyLimit(account),
  cost,
  account: account.id
})

/** 0 when the request was counted already, under the previous limit. */
const remainingCost = (request: AuthRequest, { allowed }: RateLimitResult): 0 | 1 => (allowed ? 0 : request.cost)

const policyOf = (account: AccountRecord) => (account.requestsPerHour === null ? account.plan : 'custom')

const rateLimitError = (result: RateLimitResult, counted: boolean): ApiError | null =>
  result.allowed || !counted ? null : rateLimited(result)

function rateLimited({ limit, retryAfterMs }: RateLimitResult, what = 'requests'): ApiError {
  const seconds = Math.max(1, Math.ceil(retryAfterMs / 1000))
  return problem('rate_limited', `The limit of ${limit} ${what} per hour has been reached. Retry in ${seconds} s.`, {
    headers: { 'Retry-After': String(seconds) }
  })
}

function unauthenticated({ kind, credential }: AuthRequest, brand: string): ApiError {
  const expected =
    kind === 'session'
      ? 'a session token in the Authorization header'
      : 'an API key in the X-Api-Key or the Authorization header'
  return problem('unauthenticated', describeCredential(credential, { kind, expected, brand }), {
    headers: { 'WWW-Authenticate': `Bearer realm="${kind === 'session' ? 'session' : 'api'}"` }
  })
}

/** Says why a credential is rejected, as far as its form tells: whether it exists is not disclosed. */
function describeCredential(
  credential: string | null,
  { kind, expected, brand }: Pick<AuthRequest, 'kind'> & { expected: string; brand: string }
): string {
  if (credential === null) return `This endpoint requires ${expected}.`
  if (credential === '') {
    return 'The credential is malformed. Send one, as X-Api-Key: KEY or as Authorization: Bearer CREDENTIAL.'
  }
  if (kind === 'session' && isWellFormedKey(credential, brand)) {
    return `This endpoint requires ${expected}. The credential is an API key.`
  }
  return 'The credential is invalid or expired.'
}
