import type { Store } from '../ports/store/port.ts'

/** Tells claims of work that is in progress from those that a crash left behind. */
export interface StaleClaims {
  /** Claims before this time (RFC 3339) may be taken over. */
  before: (nowMs?: number) => string
}

/**
 * A claim is stale after `staleAfterMs`, which must be longer than the work may take. A store that only one process
 * can open has no claims of other processes that still run: those from before its start are stale immediately.
 */
export function createStaleClaims({ isRemote }: Pick<Store, 'isRemote'>, staleAfterMs: number): StaleClaims {
  const startedMs = isRemote ? -Infinity : Date.now()
  return {
    before: (nowMs = Date.now()) => new Date(Math.max(nowMs - staleAfterMs, startedMs)).toISOString()
  }
}
