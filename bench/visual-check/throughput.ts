import { setTimeout as wait } from 'node:timers/promises'
import type { Browser } from '../../ports/browser/port.ts'
import { residentBytes } from '../../ports/browser/playwright/pool/resident-bytes.ts'
import { atOnce } from './at-once.ts'
import { measureInspectedCheck } from './check-page.ts'
import type { BenchPage } from './page.ts'

const AT_ONCE = 2
const SAMPLE_MS = 250

interface Bench {
  browser: Browser
  checks: number /** The process that serves the pages, whose memory is not the checker's. */
  sitePid: number
}

/**
 * Prints checks a minute with two at once, and the most memory that this process and its browsers
 * held meanwhile.
 */
export async function measureThroughput(
  pages: readonly BenchPage[],
  { browser, checks, sitePid }: Bench
): Promise<void> {
  await measureInspectedCheck(browser, pages[0]!) // Warm.
  const peak = watchMemory(sitePid)
  const start = performance.now()
  const work = Array.from({ length: checks }, (_, index) => pages[index % pages.length]!)
  await atOnce(work, AT_ONCE, async (page) => await measureInspectedCheck(browser, page))
  const minutes = (performance.now() - start) / 60_000
  const most = await peak.stop()
  const memory =
    most === null
      ? 'not told by this system'
      : `${inMb(most.all)} MB, of which ${inMb(most.own)} MB are this process (resident sets added up: what processes share is counted for each)`
  console.log(
    `Throughput: ${checks} checks of ${pages.length} pages, ${AT_ONCE} at once: ${(checks / minutes).toFixed(1)} a minute. Peak memory of the process and its browsers: ${memory}\n`
  )
}

interface Memory {
  /** Bytes of this process and its browsers. */ all: number /** Of this process alone. */
  own: number
}

const inMb = (bytes: number): string => (bytes / 1e6).toFixed(0)

/** Looks four times a second. Null where the system has no /proc. */
function watchMemory(sitePid: number): { stop: () => Promise<Memory | null> } {
  const stopping = new AbortController()
  const watching = (async () => {
    let most: Memory | null = null
    while (!stopping.signal.aborted) {
      const [tree, site] = await Promise.all([residentBytes(process.pid), residentBytes(sitePid)])
      const now = tree === null || site === null ? null : { all: tree - site, own: process.memoryUsage.rss() }
      if (now !== null && now.all > (most?.all ?? 0)) most = now
      await wait(SAMPLE_MS)
    }
    return most
  })()
  return {
    async stop() {
      stopping.abort()
      return await watching
    }
  }
}
