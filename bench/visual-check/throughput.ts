import { setTimeout as wait } from 'node:timers/promises'
import type { Browser } from '../../ports/browser/port.ts'
import { createMemoryMeter } from '../../ports/browser/playwright/process/process-tree.ts'
import { measureInspectedCheck } from './check-page.ts'
import { mapConcurrently, type BenchPage } from './helpers.ts'

const CONCURRENCY = 2
const SAMPLE_MS = 250

interface Bench {
  browser: Browser
  checks: number
  /** The process that serves the pages. Its memory does not count. */
  sitePid: number
}

/** Prints the checks per minute and the peak memory of this process and its browsers. */
export async function measureThroughput(
  pages: readonly BenchPage[],
  { browser, checks, sitePid }: Bench
): Promise<void> {
  await measureInspectedCheck(browser, pages[0]!) // Warm-up.
  const memoryWatch = watchMemory(sitePid)
  const start = performance.now()
  const work = Array.from({ length: checks }, (_, index) => pages[index % pages.length]!)
  await mapConcurrently(work, CONCURRENCY, async (page) => await measureInspectedCheck(browser, page))
  const minutes = (performance.now() - start) / 60_000
  const peak = await memoryWatch.stop()
  const memory =
    peak === null
      ? 'unknown on this system'
      : `${toMb(peak.all)} MB without program files, and ${toMb(peak.own)} MB with them in this process`
  console.log(
    `Throughput: ${checks} checks of ${pages.length} pages, ${CONCURRENCY} at a time: ` +
      `${(checks / minutes).toFixed(1)} per minute. Peak memory of the process and its browsers: ` +
      `${memory}\n`
  )
}

interface Memory {
  /** Bytes of this process and its browsers. */
  all: number
  /** Bytes of this process alone. */
  own: number
}

const toMb = (bytes: number): string => (bytes / 1e6).toFixed(0)

/** Samples four times a second. Returns null on systems without /proc. */
function watchMemory(sitePid: number): { stop: () => Promise<Memory | null> } {
  const stopController = new AbortController()
  const sampling = (async () => {
    const [treeMeter, siteMeter] = [process.pid, sitePid].map((pid) => createMemoryMeter(pid, { fullScanInterval: 1 }))
    let peak: Memory | null = null
    while (!stopController.signal.aborted) {
      const [tree, site] = await Promise.all([treeMeter!.measure(), siteMeter!.measure()])
      const now = tree === 0 ? null : { all: tree - site, own: process.memoryUsage.rss() }
      if (now !== null && now.all > (peak?.all ?? 0)) peak = now
      await wait(SAMPLE_MS)
    }
    return peak
  })()
  return {
    async stop() {
      stopController.abort()
      return await sampling
    }
  }
}
