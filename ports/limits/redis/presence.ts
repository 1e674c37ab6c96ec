import { randomUUID } from 'node:crypto'
import type { Scripts } from './scripts.ts'

/** A process that gave no sign for so long is not counted any more. */
const ALIVE_MS = 10_000

export type Presence = ReturnType<typeof createPresence>

/**
 * The signs of life by which processes know how many share the limits, each the server's time, and whether the server lost something: what it forgets
 * of the signs it forgets of the logs. `clock` tells microseconds since 1970 by this machine.
 */
export function createPresence ({ scripts, clock }: { scripts: Scripts, clock: () => number }) {
  const instance = randomUUID()
  let counts = false
  let instances = 1
  let offsetUs = 0
  /** The last sign that the server is known to have. */
  let signUs = 0

  return {
    /** How many processes count requests, this one included; as last told. */
    instances: () => instances,

    /** The server's time in microseconds, as far as it is known. */
    nowUs: () => clock() + offsetUs,

    /** From now on this process counts requests; tells whether that is new. */
    join (): boolean {
      const isNew = !counts
      counts = true
      return isNew
    },

    /** Gives a sign. Answers from which time on the server lost what it was told (0: all of it), or null. `fewer` tells whether the others can be relied on to have given theirs. */
    async beat ({ fewer }: { fewer: boolean }): Promise<number | null> {
      const sentUs = clock()
      const counted = counts
      const { beforeUs, nowUs, alive } = await scripts.beat({ instance, counts: counted, goodForUs: ALIVE_MS * 1000 })
      offsetUs = Math.round(nowUs - (sentUs + clock()) / 2)
      const told = alive + (counted ? 0 : 1)
      instances = fewer ? told : Math.max(told, instances)
      const lost = signUs > 0 && (beforeUs ?? 0) < signUs ? beforeUs ?? 0 : null
      if (counted) signUs = nowUs
      return lost
    },

    /** Takes the sign back, so that the others share what this process does not need any more. */
    leave: () => scripts.leave(instance)
  }
}
