import type { CDPSession } from 'playwright'

/** The page's clock goes on by so many milliseconds at a time. */
export const CHUNK_MS = 250

export interface VirtualTime {
  /**
   * Lets the page's clock go on by a chunk, which takes hardly any real time; it stands still while
   * the page waits for the network. False where that took longer than `capMs`: from then on it does
   * not wait for the network any more.
   */
  pass: (capMs: number) => Promise<boolean>
  /** Whether something that was asked for did not come in time. */
  isStalled: () => boolean
  /** Lets the clock run as long as something is to be done. */
  release: () => Promise<void>
}

/**
 * Takes over the clock of a page (CDP Emulation.setVirtualTimePolicy), so that timers and late
 * banners come at the same moment each time.
 */
export async function startVirtualTime(cdp: CDPSession): Promise<VirtualTime> {
  let stalled = false
  const release = async (): Promise<void> => {
    await cdp.send('Emulation.setVirtualTimePolicy', { policy: 'advance' })
  }
  // It stands still until the first chunk: what happens before depends on how busy the machine is.
  await cdp.send('Emulation.setVirtualTimePolicy', { policy: 'pause' })
  return {
    isStalled: () => stalled,
    release,
    async pass(capMs) {
      const { promise: expired, resolve } = Promise.withResolvers<boolean>()
      const hear = (): void => resolve(true)
      cdp.once('Emulation.virtualTimeBudgetExpired', hear)
      const timer = setTimeout(() => resolve(false), capMs)
      await cdp.send('Emulation.setVirtualTimePolicy', {
        policy: stalled ? 'advance' : 'pauseIfNetworkFetchesPending',
        budget: CHUNK_MS,
        maxVirtualTimeTaskStarvationCount: 10_000
      })
      const passed = await expired
      clearTimeout(timer)
      cdp.off('Emulation.virtualTimeBudgetExpired', hear)
      if (!passed) stalled = true
      return passed
    }
  }
}
