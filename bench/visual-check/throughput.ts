import { setTimeout as wait } from 'node:timers/promises'
import type { Browser } from '../../ports/browser/port.ts'
import { residentBytes } from '../../ports/browser/playwright/pool/resident-bytes.ts'
import { atOnce } from './at-once.ts'
import { checkSeen } from './check-page.ts'
import type { CheckedPage } from './page.ts'

const AT_ONCE = 2
const SAMPLE_MS = 250

interface Bench { browser: Browser, checks: number, /** The process that serves the pages, whose memory is not the checker's. */ sitePid: number }

/** Prints checks a minute with two at once, and the most memory that this process and its browsers held meanwhile. */
export async function measureThroughput (pages: readonly CheckedPage[], { browser, checks, sitePid }: Bench): Promise<void> {
  await checkSeen(browser, pages[0]!) // Warm.
  const peak = watchMemory(sitePid)
  const start = performance.now()
  const work = Array.from({ length: checks }, (_, index) => pages[index % pages.length]!)
  await atOnce(work, AT_ONCE, async (page) => await checkSeen(browser, page))
  const minutes = (performance.now() - start) / 60_000
  const bytes = await peak.stop()
  console.log(`Throughput: ${checks} checks of ${pages.length} pages, ${AT_ONCE} at once: ${(checks / minutes).toFixed(1)} a minute. Peak memory of the process and its browsers: ${bytes === null ? 'not told by this system' : `${(bytes / 1e6).toFixed(0)} MB (sum of resident sets: pages that processes share are counted for each)`}\n`)
}

/** Looks four times a second. */
function watchMemory (sitePid: number): { stop: () => Promise<number | null> } {
  const stopping = new AbortController()
  const watching = (async () => {
    let most: number | null = null
    while (!stopping.signal.aborted) {
      const [all, site] = await Promise.all([residentBytes(process.pid), residentBytes(sitePid)])
      if (all !== null && site !== null) most = Math.max(most ?? 0, all - site)
      await wait(SAMPLE_MS)
    }
    return most
  })()
  return {
    async stop () {
      stopping.abort()
      return await watching
    }
  }
}
