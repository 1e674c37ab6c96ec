import { createGrowingLru } from '../../lib/growing-lru.ts'
import type { Store } from '../../ports/store/port.ts'
import type { StorageQuota } from '../storage.ts'

/** Part of the storage limit of an account that its event log may have in addition. */
const SHARE = 0.2
/** Events that are deleted after each batch of a fan-out, until the log has its size. */
const DELETED_AT_ONCE = 1000
/** The log is measured again when it has this many more events, */
const MIN_MORE_EVENTS = 100
/** and this part of its events more: measuring a log takes the longer, the more events it has. */
const MORE_EVENTS_SHARE = 0.05
/**
 * Only events that were fanned out this long ago are deleted. Over MongoDB, another process may remember the last
 * sequence of the account or of a webhook for a minute: it must not assign the sequence of a deleted event.
 */
const SETTLE_MS = 5 * 60_000
const MAX_ACCOUNTS = 10_000

/** Events that were deleted because the log of the account was too large. */
export interface TrimmedEvents {
  accountId: string
  events: number
  maxBytes: number
}

export interface EventLogOptions {
  /** The event log of any account may have this many bytes. */
  minBytes?: number
  settleMs?: number
  /** The clock, in milliseconds. */
  nowMs?: () => number
  onTrimmed?: (trimmed: TrimmedEvents) => void
}

/** The last time that this process measured the log of an account, or first saw an event of it. */
interface Check {
  sequence: number
  atMs: number
  /** The last sequence that was fanned out since then. */
  latest: number
  /** The sequence from which on the log is measured again. */
  next: number
}

/**
 * Limits the event log of each account to a share of its storage limit, by deleting its oldest events and their
 * deliveries before their retention ends (docs/decisions/0018).
 */
export function createEventTrimmer(
  { store, storage }: { store: Store; storage: Pick<StorageQuota, 'limits'> },
  { minBytes = 64 * 2 ** 20, settleMs = SETTLE_MS, nowMs = () => performance.now(), onTrimmed }: EventLogOptions = {}
) {
  const checks = createGrowingLru<string, Check>(MAX_ACCOUNTS)

  async function trim(accountId: string, latest: number): Promise<void> {
    const atMs = nowMs()
    const last = checks.get(accountId)
    checks.set(accountId, { sequence: latest, atMs, next: 0, ...last, latest })
    if (last === undefined || latest < last.next || atMs - last.atMs < settleMs) return
    const { bytes } = await storage.limits(accountId)
    const maxBytes = Math.max(minBytes, Math.floor(SHARE * bytes))
    const { deleted, fitting } = await store.events.trim(accountId, {
      maxBytes,
      upTo: last.sequence,
      limit: DELETED_AT_ONCE
    })
    if (deleted > 0) onTrimmed?.({ accountId, events: deleted, maxBytes })
    // Otherwise the next batch, or sweep, continues.
    if (deleted === DELETED_AT_ONCE) return
    // What is left is still too large if even the events after those that could be deleted do not fit.
    const isTooLarge = latest - last.sequence > fitting
    const more = isTooLarge ? 0 : Math.max(MIN_MORE_EVENTS, Math.floor(MORE_EVENTS_SHARE * fitting))
    checks.set(accountId, { sequence: latest, atMs, latest, next: latest + more })
  }

  return {
    /** To be called when all events of the account up to this sequence have been fanned out. */
    trim,
    /** Continues with accounts without new events since their log became too large, as far as this process knows. */
    async sweep(signal: AbortSignal): Promise<void> {
      for (const [accountId, { latest, next }] of [...checks.entries()]) {
        if (signal.aborted) return
        if (latest >= next) await trim(accountId, latest)
      }
    }
  }
}
