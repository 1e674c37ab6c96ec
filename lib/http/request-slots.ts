import { createAccountSlots, type AccountSlot } from '../account-slots.ts'

/** The connection of a request, such as its raw response. */
interface Closeable {
  closed: boolean
  once: (event: 'close', listener: () => void) => void
  off: (event: 'close', listener: () => void) => void
}

/**
 * Limits the requests that each account has in progress: their weights are at most `running` together, and
 * up to `waiting` more wait, for at most `maxWaitMs`. A request is in progress until its handler has
 * ended, and its response has been sent or its client has disconnected.
 */
export function createRequestSlots({
  running,
  waiting,
  maxWaitMs
}: {
  running: number
  waiting: number
  maxWaitMs: number
}) {
  const enter = createAccountSlots({ running, waiting })
  /** What has to be called when the handler has ended, for requests in progress. */
  const ends = new WeakMap<object, () => void>()

  /** Waits for a slot. Resolves with false, without the slot, after `maxWaitMs` or if the client disconnects. */
  async function waitFor({ ready, release }: AccountSlot, connection: Closeable): Promise<boolean> {
    connection.once('close', release)
    const timer = setTimeout(release, maxWaitMs)
    const isReady = await ready
    clearTimeout(timer)
    connection.off('close', release)
    return isReady
  }

  return {
    /** Resolves with true when the request may start. With false, it has no slot, and `end` need not be called. */
    async start(
      { request, connection }: { request: object; connection: Closeable },
      accountId: string,
      weight = 1
    ): Promise<boolean> {
      const slot = enter(accountId, weight)
      if (slot === null || !(await waitFor(slot, connection))) return false
      // Aborted requests go on until their handler ends; responses are in memory until the connection took them.
      let left = 2
      const end = (): void => {
        left -= 1
        if (left === 0) slot.release()
      }
      ends.set(request, end)
      if (connection.closed) end()
      else connection.once('close', end)
      return true
    },

    /** To be called when the handler of a request has ended. Requests without a slot are ignored. */
    end(request: object): void {
      ends.get(request)?.()
      ends.delete(request)
    }
  }
}
