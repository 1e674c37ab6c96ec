import { currentOwner } from '../../../lib/async.ts'
import { createTurnQueue } from '../../../lib/turn-queue.ts'
import type { WriteDelay } from '../port.ts'

/** What writes that waited may use of one turn of the event loop when they start, in milliseconds. */
const STARTS_MS = 2

/** Makes methods that write wait, such as for a checkpoint. */
export interface WriteGate {
  /**
   * Runs a method that writes as soon as writes of its owner are not held. Part of a request that has begun, it waits
   * only while all writes are held: the request occupies a place among those of its account.
   */
  write: <Result>(method: () => Promise<Result>, isPartOfRequest?: boolean) => Promise<Result>
  /** Null if a write of the owner that calls this would not wait. */
  delay: () => WriteDelay | null
  /** The writes in progress. */
  writing: () => number
  /** From now on, new writes wait: all, or those of some owners. Others that wait are started. */
  hold: (isHeld?: (owner: string) => boolean) => void
  /** Resolves with whether the writes in progress ended within `ms` milliseconds. */
  idle: (ms: number) => Promise<boolean>
  /** Starts all writes that wait, in turns by owner. */
  open: () => void
}

const NOBODY = (): boolean => false
const EVERYBODY = (): boolean => true

/** `onEnded` is called with the owner when a write has ended (`runAsOwner`). */
export function createWriteGate(onEnded: (owner: string) => void): WriteGate {
  const waiting = new Set<{ owner: string; start: () => void }>()
  const starts = createTurnQueue(STARTS_MS)
  let isHeld: (owner: string) => boolean = NOBODY
  let writing = 0
  let notifyIdle = (): void => {}

  async function waitForTurn(owner: string): Promise<void> {
    await new Promise<void>((resolve) => waiting.add({ owner, start: resolve }))
  }

  function startWaiting(): void {
    for (const each of waiting) {
      if (isHeld(each.owner)) continue
      waiting.delete(each)
      starts.add(each.owner, each.start)
    }
  }

  return {
    async write(method, isPartOfRequest = false) {
      const owner = currentOwner()
      if (isPartOfRequest ? isHeld === EVERYBODY : isHeld(owner)) await waitForTurn(owner)
      writing += 1
      try {
        return await method()
      } finally {
        writing -= 1
        if (writing === 0) notifyIdle()
        onEnded(owner)
      }
    },
    delay() {
      const owner = currentOwner()
      if (!isHeld(owner)) return null
      const { promise: ready, resolve } = Promise.withResolvers<boolean>()
      const entry = { owner, start: () => resolve(true) }
      waiting.add(entry)
      return {
        ready,
        release() {
          waiting.delete(entry)
          resolve(false)
        }
      }
    },
    writing: () => writing,
    hold(which = EVERYBODY) {
      isHeld = which
      startWaiting()
    },
    async idle(ms) {
      if (writing === 0) return true
      return await new Promise<boolean>((resolve) => {
        const timer = setTimeout(() => resolve(false), ms).unref()
        notifyIdle = () => {
          clearTimeout(timer)
          resolve(true)
        }
      })
    },
    open() {
      isHeld = NOBODY
      startWaiting()
    }
  }
}
