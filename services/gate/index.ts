import { refuse, type Refusal } from '../../errors.ts'
import type { RateLimitResult, Limits } from '../../ports/limits/port.ts'
import type { AccountRecord, Store } from '../../ports/store/port.ts'
import type { Feature } from '../../schemas/account.ts'
import type { Scope } from '../../schemas/api-key.ts'
import { hourlyLimit, type Accounts } from '../accounts.ts'
import { hashKey, isWellFormedKey } from '../api-keys/key-format.ts'
import type { Counters } from '../counters.ts'
import type { Usage } from '../usage.ts'
import { addressBucket } from './client-address.ts'
import { createKeptKeys, type LoadedKey } from './kept-keys.ts'
import { createKeyUses } from './key-uses.ts'
import type { Sessions } from './sessions.ts'

/** Who is asking. `cacheKey` is the same for all who may see the same. */
export type Caller =
  | {
      kind: 'key'
      accountId: string
      keyId: string
      scopes: Scope[]
      features: Feature[]
      projectIds: string[] | null
      cacheKey: string
    }
  | { kind: 'session'; accountId: string; userId: string; admin: boolean; features: Feature[] }
  | { kind: 'anonymous' }

/**
 * What came of a request at the gate: who it is, how its bucket stands, and why it must go no
 * further.
 */
export interface Passage {
  caller: Caller
  admission: RateLimitResult
  policy: string
  refusal: Refusal | null
}

/**
 * What a request shows at the gate. `cost` 0 looks at the bucket without counting, and is never
 * refused by it: a bucket may hold more than its limit, where that was lowered or Redis was away.
 */
export interface Approach {
  kind: 'key' | 'session' | 'public'
  credential: string | null
  address: string
  cost: 0 | 1
}

export type Gate = ReturnType<typeof createGate>

/** Wrong credentials from one client address an hour, past which it hears 429. */
export const FAILED_CREDENTIALS_PER_HOUR = 300
/**
 * Requests an hour of an administrator, whatever the account's plan: the command line works through
 * folders and files (docs/decisions/0004).
 */
export const ADMIN_REQUESTS_PER_HOUR = 20_000
const anonymous: Caller = { kind: 'anonymous' }

interface GateParts {
  store: Store
  limits: Limits
  accounts: Accounts
  sessions: Sessions
  usage: Usage
  brand: string
  addressLimit: number
  counts: Counters
}

/**
 * Identifies and admits. Every request passes here once, and its bucket is asked once: the
 * account's with a valid key,
 * the user's with a valid session, else the client address's. Answers at once where key and log are
 * in the process.
 */
export function createGate({ store, limits, accounts, sessions, usage, brand, addressLimit, counts }: GateParts) {
  const keys = createKeptKeys({ store })
  const uses = createKeyUses({ store })

  function byAddress(address: string, cost: 0 | 1): Passage | Promise<Passage> {
    const pass = (admission: RateLimitResult): Passage => ({
      caller: anonymous,
      admission,
      policy: 'address',
      refusal: fullness(admission, cost > 0)
    })
    const admission = limits.consume({ bucket: addressBucket(address), limit: addressLimit, cost })
    return admission instanceof Promise ? admission.then(pass) : pass(admission)
  }

  /**
   * A credential that is not valid: counted against the address twice, as a failure and as a
   * request. One too many failures is no request: others at the address keep theirs.
   */
  async function refused(approach: Approach): Promise<Passage> {
    const failures = await limits.consume({
      bucket: `failed-${addressBucket(approach.address)}`,
      limit: FAILED_CREDENTIALS_PER_HOUR,
      cost: approach.cost
    })
    const refusal = fullness(failures, approach.cost > 0)
    if (refusal !== null) return { caller: anonymous, admission: failures, policy: 'failed-credentials', refusal }
    const passage = await byAddress(approach.address, approach.cost)
    return { ...passage, refusal: passage.refusal ?? unauthenticated(approach) }
  }

  function admitKey(loaded: LoadedKey, cost: 0 | 1): RateLimitResult | Promise<RateLimitResult> {
    return limits.consume({
      bucket: `account:${loaded.account.id}`,
      limit: hourlyLimit(loaded.account),
      cost,
      account: loaded.account.id
    })
  }

  function passKey(loaded: LoadedKey, admission: RateLimitResult, counted: boolean): Passage {
    const { key, account } = loaded
    const now = Date.now()
    if (admission.allowed) uses.note(key.id, now)
    if (counted) usage.count(account.id, admission.allowed, now)
    const caller: Caller = {
      kind: 'key',
      accountId: account.id,
      keyId: key.id,
      scopes: key.scopes,
      features: account.features,
      projectIds: key.projectIds,
      // No project id has a space or a comma, while an account id may have anything.
      cacheKey: `${(key.projectIds ?? []).join(',')} ${account.id}`
    }
    return { caller, admission, policy: policyOf(account), refusal: fullness(admission, counted) }
  }

  const isDead = ({ key, expiresAtMs }: LoadedKey) => key.disabled || expiresAtMs <= Date.now()

  /** A key that is not kept, or whose account has changed: the store decides. */
  async function byLoadedKey(hash: string, approach: Approach, counted: boolean): Promise<Passage> {
    counts.apiKeyCache.miss += 1
    const first = await keys.load(hash, null)
    if (first === null || isDead(first)) return await refused(approach)
    const { keyEpoch } = await limits.consume({
      bucket: `account:${first.account.id}`,
      limit: 1,
      cost: 0,
      account: first.account.id
    })
    // An epoch that cannot be known now keeps nothing, so what was read a moment ago does.
    const loaded = Number.isNaN(keyEpoch) ? first : await keys.load(hash, keyEpoch)
    if (loaded === null || isDead(loaded)) return await refused(approach)
    const admission = await admitKey(loaded, approach.cost)
    if (admission.keyEpoch !== keyEpoch) keys.drop(hash) // It changed in between; the next request loads it again.
    return passKey(loaded, admission, counted)
  }

  /**
   * Nobody can say whether the key or its account was changed: the store decides. The admission
   * stands, unless it was decided under another limit.
   */
  async function byReadKey(hash: string, approach: Approach, admission: RateLimitResult): Promise<Passage> {
    const read = await keys.load(hash, null)
    if (read === null || isDead(read)) return await refused(approach)
    const stands = hourlyLimit(read.account) === admission.limit
    return passKey(read, stands ? admission : await admitKey(read, costAgain(approach, admission)), approach.cost > 0)
  }

  function byKey(approach: Approach & { credential: string }): Passage | Promise<Passage> {
    const hash = hashKey(approach.credential)
    const counted = approach.cost > 0
    const kept = keys.get(hash)
    if (kept === undefined) {
      return isWellFormedKey(approach.credential, brand) ? byLoadedKey(hash, approach, counted) : refused(approach)
    }
    if (isDead(kept)) return byLoadedKey(hash, approach, counted)
    const judge = (admission: RateLimitResult): Passage | Promise<Passage> => {
      if (admission.keyEpoch === kept.epoch) {
        counts.apiKeyCache.hit += 1
        return passKey(kept, admission, counted)
      }
      if (Number.isNaN(admission.keyEpoch)) return byReadKey(hash, approach, admission)
      return byLoadedKey(hash, { ...approach, cost: costAgain(approach, admission) }, counted)
    }
    const admission = admitKey(kept, approach.cost)
    return admission instanceof Promise ? admission.then(judge) : judge(admission)
  }

  async function bySession(approach: Approach & { credential: string }): Promise<Passage> {
    const session = await sessions.verify(approach.credential)
    if (session === null) return await refused(approach)
    const account = await accounts.ensure(session.accountId)
    const { userId, admin } = session
    const admission = await limits.consume(
      admin
        ? { bucket: `admin:${userId}`, limit: ADMIN_REQUESTS_PER_HOUR, cost: approach.cost }
        : { bucket: `user:${userId}`, limit: hourlyLimit(account), cost: approach.cost }
    )
    const caller: Caller = {
      kind: 'session',
      accountId: session.accountId,
      userId: session.userId,
      admin: session.admin,
      features: account.features
    }
    return {
      caller,
      admission,
      policy: admin ? 'admin' : policyOf(account),
      refusal: fullness(admission, approach.cost > 0)
    }
  }

  return {
    approach(approach: Approach): Passage | Promise<Passage> {
      const { kind, credential } = approach
      if (kind === 'public') return byAddress(approach.address, approach.cost)
      if (credential === null) {
        const pass = (passage: Passage): Passage => ({
          ...passage,
          refusal: passage.refusal ?? unauthenticated(approach)
        })
        const passage = byAddress(approach.address, approach.cost)
        return passage instanceof Promise ? passage.then(pass) : pass(passage)
      }
      return kind === 'key' ? byKey({ ...approach, credential }) : bySession({ ...approach, credential })
    },

    /** How the account's own bucket stands, without counting. */
    async standing(accountId: string): Promise<RateLimitResult> {
      return await limits.consume({
        bucket: `account:${accountId}`,
        limit: hourlyLimit(await accounts.getRecord(accountId)),
        cost: 0,
        account: accountId
      })
    },

    /** Writes when keys were last used; to be called once a minute and before the end. */
    flush: () => uses.flush()
  }
}

/**
 * What was admitted under the limit as it was is counted already: it is looked at again without
 * counting.
 */
const costAgain = (approach: Approach, { allowed }: RateLimitResult): 0 | 1 => (allowed ? 0 : approach.cost)

const policyOf = (account: AccountRecord) => (account.requestsPerHour === null ? account.plan : 'custom')

const fullness = (admission: RateLimitResult, counts: boolean): Refusal | null =>
  admission.allowed || !counts ? null : rateLimited(admission)

function rateLimited(admission: RateLimitResult): Refusal {
  const seconds = Math.max(1, Math.ceil(admission.retryAfterMs / 1000))
  return refuse(
    'rate_limited',
    `${admission.limit} requests an hour are allowed, and they are used up. The next one is admitted in ${seconds} s.`,
    { headers: { 'Retry-After': String(seconds) } }
  )
}

function unauthenticated({ kind, credential }: Approach): Refusal {
  const wanted =
    kind === 'session'
      ? 'a session token in the Authorization header'
      : 'an API key in the X-Api-Key or the Authorization header'
  return refuse(
    'unauthenticated',
    credential === null ? `This address needs ${wanted}.` : 'The credential is not valid, or not valid any more.',
    { headers: { 'WWW-Authenticate': `Bearer realm="${kind === 'session' ? 'session' : 'api'}"` } }
  )
}
