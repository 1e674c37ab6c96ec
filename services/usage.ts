import type { Store } from '../ports/store/port.ts'
import type { UsageHour } from '../schemas/account.ts'

export type Usage = ReturnType<typeof createUsage>

interface Counts {
  accountId: string
  hour: string
  requests: number
  refused: number
}

const HOUR_MS = 3_600_000
/** Days of usage that an account can read. */
export const USAGE_DAYS = 30

/**
 * Counts requests by account and hour in memory; `flush` writes them. A crash loses at most the
 * statistics of one flush interval, and no rate limit depends on them.
 */
export function createUsage({ store }: { store: Store }) {
  let counts = new Map<string, Counts>()
  let currentHour = 0
  let hourText = ''

  function hourOf(nowMs: number): string {
    const hour = nowMs - (nowMs % HOUR_MS)
    if (hour !== currentHour) {
      currentHour = hour
      hourText = new Date(hour).toISOString()
    }
    return hourText
  }

  function merge(row: Counts): void {
    const key = `${row.hour} ${row.accountId}`
    const now = counts.get(key)
    counts.set(
      key,
      now === undefined ? row : { ...row, requests: row.requests + now.requests, refused: row.refused + now.refused }
    )
  }

  async function flush(): Promise<void> {
    if (counts.size === 0) return
    const pending = counts
    counts = new Map()
    try {
      await store.usage.add([...pending.values()])
    } catch (error) {
      // Kept for the next flush, together with requests counted in the meantime.
      for (const row of pending.values()) merge(row)
      throw error
    }
  }

  return {
    count(accountId: string, admitted: boolean, nowMs = Date.now()): void {
      const hour = hourOf(nowMs)
      const key = `${hour} ${accountId}`
      let row = counts.get(key)
      if (row === undefined) counts.set(key, (row = { accountId, hour, requests: 0, refused: 0 }))
      if (admitted) row.requests += 1
      else row.refused += 1
    },

    flush,

    /** The last 30 days, oldest first, including the current hour. */
    async hours(accountId: string): Promise<UsageHour[]> {
      await flush()
      return await store.usage.hours(accountId, new Date(Date.now() - USAGE_DAYS * 24 * HOUR_MS).toISOString())
    }
  }
}
