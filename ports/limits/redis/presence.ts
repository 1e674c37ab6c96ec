import { randomUUID } from 'node:crypto'
import type { Scripts } from './scripts.ts'

/** A process that gave no sign for so long is not counted any more. */
export const ALIVE_MS = 10_000
/** An answer that took longer says too little of the server's time. */
const PROMPT_US = 100_000

/**
 * What came of asking: from which time on the server lost what it was told (0: all of it), or null;
 * and how many processes gave a sign since the time that was asked.
 */
export interface Beat {
  lostFromUs: number | null
  fresh: number
}

export type Presence = ReturnType<typeof createPresence>

/**
 * The signs of life by which processes know how many share the limits, each the server's time, and
 * whether the server lost something: what it forgets
 * of the signs it forgets of the logs. `clock` tells microseconds since 1970 by this machine.
 */
export function createPresence({ scripts, clock }: { scripts: Scripts; clock: () => number }) {
  const instance = randomUUID()
  let counts = false
  let instances = 1
  let offsetUs: number | null = null
  /** The last sign that the server is known to have. */
  let signUs = 0

  return {
    /** How many processes count requests, this one included; as last told. */
    instances: () => instances,

    /**
     * The server's time in microseconds, behind it by no more than an answer takes and never ahead:
     * times that are told to it later never lie in its future,
     * where they would hold up its log's clock.
     */
    nowUs: () => clock() + (offsetUs ?? 0),

    /** From now on this process counts requests; tells whether that is new. */
    join(): boolean {
      const isNew = !counts
      counts = true
      return isNew
    },

    /**
     * Gives a sign, where this process counts requests and `gives` is true. `fewer` tells whether
     * the others can be relied on to have given theirs:
     * right after the server came back they may not.
     */
    async beat({ gives, fewer, sinceUs = 0 }: { gives: boolean; fewer: boolean; sinceUs?: number }): Promise<Beat> {
      const sentUs = clock()
      const signs = gives && counts
      const { beforeUs, nowUs, alive, fresh } = await scripts.beat({
        instance,
        gives: signs,
        goodForUs: ALIVE_MS * 1000,
        sinceUs
      })
      const receivedUs = clock()
      if (offsetUs === null || receivedUs - sentUs < PROMPT_US) offsetUs = nowUs - receivedUs
      const others = signs || isAlive(beforeUs, nowUs) ? alive - 1 : alive
      instances = fewer ? others + 1 : Math.max(others + 1, instances)
      const lostFromUs = signUs > 0 && (beforeUs ?? 0) < signUs ? (beforeUs ?? 0) : null
      if (signs) signUs = nowUs
      return { lostFromUs, fresh }
    },

    /** Takes the sign back, so that the others share what this process does not need any more. */
    leave: () => scripts.leave(instance)
  }
}

const isAlive = (signUs: number | null, nowUs: number): boolean => signUs !== null && signUs >= nowUs - ALIVE_MS * 1000
