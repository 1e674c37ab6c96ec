import { randomUUID } from 'node:crypto'
import type { Scripts } from './scripts.ts'

/** A process without a heartbeat for this long is no longer counted. */
export const LIFETIME_MS = 10_000
/** A slower reply says too little about the server's time. */
const MAX_CLOCK_SYNC_US = 100_000

export interface HeartbeatResult {
  /**
   * The server lost everything recorded after this time (0: all data). Null if it lost nothing.
   */
  lostFromUs: number | null
  /** How many processes sent a heartbeat at or after `sinceUs`. */
  fresh: number
}

export type Heartbeats = ReturnType<typeof createHeartbeats>

/**
 * Heartbeats tell how many processes share the limits, and whether the server lost data: if it lost
 * a heartbeat, it also lost what was recorded in the logs after it. They also synchronize clocks.
 * `clock` returns microseconds since 1970 by this machine.
 */
export function createHeartbeats({ scripts, clock }: { scripts: Scripts; clock: () => number }) {
  const instance = randomUUID()
  let isActive = false
  let instances = 1
  let offsetUs: number | null = null
  /** The latest heartbeat that the server has acknowledged. */
  let recordedUs = 0

  return {
    /** How many processes count requests, including this one, as of the latest heartbeat. */
    instances: () => instances,

    /**
     * The server's time in microseconds. It lags by at most one reply and is never ahead: times that
     * are merged later must not lie in the server's future, where they would hold up its log.
     */
    nowUs: () => clock() + (offsetUs ?? 0),

    /** Counts this process from now on. Returns whether that is new. */
    activate(): boolean {
      const isNew = !isActive
      isActive = true
      return isNew
    },

    /**
     * Sends a heartbeat; records it only if `record` is set and this process is active. Without
     * `mayShrink`, the number of instances does not fall: right after the server is back, the other
     * processes may not have sent their heartbeats yet.
     */
    async send({
      record,
      mayShrink,
      sinceUs = 0
    }: {
      record: boolean
      mayShrink: boolean
      sinceUs?: number
    }): Promise<HeartbeatResult> {
      const sentUs = clock()
      const records = record && isActive
      const { previousUs, nowUs, alive, fresh } = await scripts.heartbeat({
        instance,
        record: records,
        lifetimeUs: LIFETIME_MS * 1000,
        sinceUs
      })
      const receivedUs = clock()
      if (offsetUs === null || receivedUs - sentUs < MAX_CLOCK_SYNC_US) offsetUs = nowUs - receivedUs
      const others = records || isAlive(previousUs, nowUs) ? alive - 1 : alive
      instances = mayShrink ? others + 1 : Math.max(others + 1, instances)
      const lostFromUs = recordedUs > 0 && (previousUs ?? 0) < recordedUs ? (previousUs ?? 0) : null
      if (records) recordedUs = nowUs
      return { lostFromUs, fresh }
    },

    /** Deletes the heartbeat, so that the others share what this process no longer needs. */
    leave: () => scripts.leave(instance)
  }
}

const isAlive = (heartbeatUs: number | null, nowUs: number): boolean =>
  heartbeatUs !== null && heartbeatUs >= nowUs - LIFETIME_MS * 1000
