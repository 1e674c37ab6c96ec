import { createGrowingLru } from '../lib/growing-lru.ts'
import { problem, type ApiError } from '../errors.ts'
import type { AccountRecord, Store, StorageUsage } from '../ports/store/port.ts'
import { STORAGE_LIMITS, STORAGE_RESOURCES, type Plan, type StorageLimits } from '../schemas/account.ts'

export type StorageQuota = ReturnType<typeof createStorageQuota>

export interface StorageOptions {
  /** How long a measurement is used while the account has room, in milliseconds. */
  measureEveryMs?: number
  /** The clock, in milliseconds. */
  nowMs?: () => number
}

const DEFAULT_MEASURE_EVERY_MS = 60_000
/** A measurement that is older is repeated before a request is rejected. */
const REJECT_MAX_AGE_MS = 1_000
/** Measuring takes at most one part of the time in so many, */
const MEASURE_SHARE = 20
/** and before rejections, which need a recent measurement, one in so many. */
const REJECT_SHARE = 5
/** An account that would use at most this share of its limits has room, also by an old measurement. */
const ROOM_SHARE = 0.5
const MAX_ACCOUNTS = 10_000

interface Measurement {
  limits: StorageLimits
  /** Measured, and what this process has reserved since. */
  used: StorageUsage
  atMs: number
  tookMs: number
}

/** The storage limits of an account: its own, and those of its plan for the others. */
export function storageLimits({ plan, storage = {} }: Pick<AccountRecord, 'plan' | 'storage'>): StorageLimits {
  const limits: StorageLimits = { ...STORAGE_LIMITS[plan] }
  for (const name of STORAGE_RESOURCES) limits[name] = storage[name] ?? limits[name]
  return limits
}

/**
 * Limits what an account stores. The usage is measured at most once a minute, and each process adds
 * what it has admitted since: an account can exceed a limit by its requests in progress, and by what
 * other processes admit within the minute (docs/decisions/0018). Requests of accounts that use less than
 * half of their limits do not wait for a measurement, except for the first one.
 */
export function createStorageQuota(
  { store, defaultPlan }: { store: Store; defaultPlan: Plan },
  { measureEveryMs = DEFAULT_MEASURE_EVERY_MS, nowMs = () => performance.now() }: StorageOptions = {}
) {
  const measurements = createGrowingLru<string, Promise<Measurement>>(MAX_ACCOUNTS)
  /** The last measurement that ended, of each account. */
  const lastMeasured = createGrowingLru<string, Measurement>(MAX_ACCOUNTS)

  async function limitsOf(accountId: string): Promise<StorageLimits> {
    const account = await store.accounts.find(accountId)
    return account === null ? STORAGE_LIMITS[defaultPlan] : storageLimits(account)
  }

  async function measure(accountId: string): Promise<Measurement> {
    const startMs = nowMs()
    const limits = await limitsOf(accountId)
    const used = await store.storage.measure(accountId)
    const atMs = nowMs()
    const measured = { limits, used, atMs, tookMs: atMs - startMs }
    lastMeasured.set(accountId, measured)
    return measured
  }

  function start(accountId: string): Promise<Measurement> {
    const measuring = measure(accountId)
    measurements.set(accountId, measuring)
    measuring.catch(() => {
      if (measurements.peek(accountId) === measuring) measurements.delete(accountId)
    })
    return measuring
  }

  const isOld = ({ atMs, tookMs }: Measurement, maxAgeMs: number, share: number): boolean =>
    nowMs() - atMs > Math.max(maxAgeMs, share * tookMs)

  /** A measurement that is at most a minute old. */
  const current = (accountId: string): Promise<Measurement> => notOlder(accountId, measureEveryMs, MEASURE_SHARE)
  /** One that is recent enough to reject a request. */
  const recent = (accountId: string): Promise<Measurement> => notOlder(accountId, REJECT_MAX_AGE_MS, REJECT_SHARE)

  async function notOlder(accountId: string, maxAgeMs: number, share: number): Promise<Measurement> {
    const known = measurements.get(accountId)
    if (known === undefined) return await start(accountId)
    const found = await known
    if (!isOld(found, maxAgeMs, share)) return found
    // Another caller may have started a measurement meanwhile.
    return measurements.get(accountId) === known ? await start(accountId) : await notOlder(accountId, maxAgeMs, share)
  }

  /**
   * The measurement for an increase. While the account has much room, a request does not wait for a new one: a
   * store that is busy with others takes long to measure.
   */
  async function forIncrease(accountId: string, increase: Partial<StorageUsage>): Promise<Measurement> {
    const known = lastMeasured.get(accountId)
    if (known === undefined || !hasRoom(known, increase)) return await current(accountId)
    // A failure is not this request's: the next one measures again.
    current(accountId).catch(() => {})
    return known
  }

  return {
    /** Makes a change of the limits effective in this process at once. */
    forget(accountId: string): void {
      measurements.delete(accountId)
      lastMeasured.delete(accountId)
    },

    /** What the account may store. */
    limits: limitsOf,

    /** What the account has stored, measured at most a second ago, and its limits. */
    async usage(accountId: string): Promise<{ used: StorageUsage; limits: StorageLimits }> {
      const { used, limits } = await recent(accountId)
      return { used: { ...used }, limits }
    },

    /** Admits an increase. Throws `storage_quota_exceeded` when it would exceed a limit. */
    async reserve(accountId: string, increase: Partial<StorageUsage>): Promise<void> {
      let measured = await forIncrease(accountId, increase)
      if (exceeded(measured, increase) !== null) measured = await recent(accountId)
      const resource = exceeded(measured, increase)
      if (resource !== null) throw quotaExceeded(resource, measured)
      for (const name of STORAGE_RESOURCES) measured.used[name] += increase[name] ?? 0
    },

    /** Counts what the account stores without having reserved it. */
    add(accountId: string, increase: Partial<StorageUsage>): void {
      const measured = lastMeasured.get(accountId)
      if (measured === undefined) return
      for (const name of STORAGE_RESOURCES) measured.used[name] += increase[name] ?? 0
    },

    /**
     * The error for an upload of this size, or null if the account has room for it. Does not reserve
     * anything. For uploads whose size is only known at their end.
     */
    async uploadLimit(accountId: string): Promise<(bytes: number) => ApiError | null> {
      const known = lastMeasured.get(accountId)
      const measured =
        known !== undefined && hasRoom(known, { bytes: 1 }) ? await forIncrease(accountId, {}) : await recent(accountId)
      return (bytes) => (exceeded(measured, { bytes }) === null ? null : quotaExceeded('bytes', measured))
    }
  }
}

function hasRoom({ used, limits }: Measurement, increase: Partial<StorageUsage>): boolean {
  return STORAGE_RESOURCES.every(
    (name) => (increase[name] ?? 0) === 0 || used[name] + increase[name]! <= ROOM_SHARE * limits[name]
  )
}

function exceeded({ used, limits }: Measurement, increase: Partial<StorageUsage>): keyof StorageUsage | null {
  return (
    STORAGE_RESOURCES.find((name) => (increase[name] ?? 0) > 0 && used[name] + increase[name]! > limits[name]) ?? null
  )
}

function quotaExceeded(resource: keyof StorageUsage, { used, limits }: Measurement): ApiError {
  return problem(
    'storage_quota_exceeded',
    `The account may store ${limits[resource].toLocaleString('en')} ${resource} and already stores ` +
      `${used[resource].toLocaleString('en')}.`,
    { members: { resource, used: used[resource], limit: limits[resource] } }
  )
}
