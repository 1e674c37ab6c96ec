import type { Limits } from '../../../ports/limits/port.ts'

export interface CallBudgetSettings {
  consume: Limits['consume']
  /** Maximum number of calls in any hour, of all processes together. 0: no calls. */
  callsPerHour: number
  /** Maximum number of calls in any hour for one account. Null: no limit of its own. */
  accountCallsPerHour: number | null
}

export interface CallBudget {
  /** Counts a call. Returns 0, or the milliseconds until a call is allowed again if none is allowed now. */
  take: (accountId: string) => Promise<number>
  /** The number of calls that are allowed now. */
  remaining: (accountId: string) => Promise<number>
}

/** With a budget of no calls, products are not tried again before this time. */
const NO_BUDGET_WAIT_MS = 3_600_000

/**
 * The hourly budget of calls. It is counted by the limits port, so all processes share it. The
 * tokens of a call are limited, so a maximum of calls is also a maximum of cost.
 */
export function createCallBudget({ consume, callsPerHour, accountCallsPerHour }: CallBudgetSettings): CallBudget {
  const buckets = (accountId: string) => [
    { bucket: 'optimizer', limit: callsPerHour },
    ...(accountCallsPerHour === null ? [] : [{ bucket: `optimizer:${accountId}`, limit: accountCallsPerHour }])
  ]

  return {
    async take(accountId) {
      const all = buckets(accountId)
      if (all.some(({ limit }) => limit === 0)) return NO_BUDGET_WAIT_MS
      // A call that one bucket does not allow is not counted in the other.
      for (const { bucket, limit } of all) {
        const { remaining, retryAfterMs, resetAt } = await consume({ bucket, limit, cost: 0 })
        if (remaining === 0) return Math.max(1, retryAfterMs, resetAt - Date.now())
      }
      for (const request of all) {
        const { allowed, retryAfterMs } = await consume(request)
        if (!allowed) return Math.max(1, retryAfterMs)
      }
      return 0
    },
    async remaining(accountId) {
      const counts = await Promise.all(
        buckets(accountId).map(async (request) =>
          request.limit === 0 ? 0 : (await consume({ ...request, cost: 0 })).remaining
        )
      )
      return Math.min(...counts)
    }
  }
}
