import { parseArgs } from 'node:util'
import { findChromium } from '../../ports/browser/playwright/child/find-chromium.ts'
import { openBrowser } from '../../ports/browser/open.ts'
import { pickEvenly } from './helpers.ts'
import { openSite } from './open-site.ts'
import { measureRecall } from './recall.ts'
import { measureConsistency, measureTogether } from './consistency.ts'
import { measureSpeed } from './speed.ts'
import { measureThroughput } from './throughput.ts'

/*
 * Benchmarks of the visual check: its time compared with Lighthouse, checks per minute and memory,
 * consistent scores on a busy machine, and recall on known pages. `--corpus` names a folder of
 * pages with and without defects; without it, the pages of the demo's blogs are used. `PAGES` pages
 * are used for each measurement, `RECALL_PAGES` for recall (default: all). `AT_A_TIME` is the number of checks
 * at the same time for `consistency` and `together` (default: 5). `PARTS` is a
 * comma-separated list of measurements.
 */
const {
  values: { corpus }
} = parseArgs({ options: { corpus: { type: 'string' } } })
const { PARTS = 'speed,throughput,consistency,recall', CHROMIUM_PATH } = process.env
const PAGES = Number(process.env.PAGES ?? 6)
const ROUNDS = Number(process.env.ROUNDS ?? 3)
const CHECKS = Number(process.env.CHECKS ?? 60)
const RUNS = Number(process.env.RUNS ?? 20)
const AT_A_TIME = Number(process.env.AT_A_TIME ?? 2)
/** A check while four others run. */
const TOGETHER = Number(process.env.AT_A_TIME ?? 5)
const RECALL_PAGES = Number(process.env.RECALL_PAGES ?? Infinity)
const wanted = PARTS.split(',')

const site = await openSite(corpus)
const browser = await openBrowser({
  chromiumPath: CHROMIUM_PATH,
  allow: '127.0.0.1',
  sandbox: process.getuid?.() === 0 ? 'off' : 'on',
  maxMemoryBytes: 1_500_000_000,
  maxParallel: wanted.includes('together') ? TOGETHER : Math.max(2, AT_A_TIME),
  environment: { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '' }
})
try {
  const pages = pickEvenly(site.pages, PAGES)
  // Speed is measured on pages without defects: a defective one may not respond at all.
  const harmless = pickEvenly(
    site.pages.filter(({ expectedCodes }) => expectedCodes?.length === 0),
    PAGES
  )
  // Before Lighthouse is loaded: its memory does not count.
  if (wanted.includes('throughput')) await measureThroughput(harmless, { browser, checks: CHECKS, sitePid: site.pid })
  if (wanted.includes('speed')) {
    const { openLighthouse } = await import('./lighthouse.ts')
    const lighthouse = await openLighthouse((await findChromium({ path: CHROMIUM_PATH })).executablePath)
    try {
      await measureSpeed(harmless, { browser, lighthouse, rounds: ROUNDS })
    } finally {
      lighthouse.close()
    }
  }
  if (wanted.includes('consistency')) await measureConsistency(pages, { browser, runs: RUNS, concurrency: AT_A_TIME })
  if (wanted.includes('together')) await measureTogether(pages, { browser, runs: RUNS, concurrency: TOGETHER })
  if (wanted.includes('recall')) await measureRecall(pickEvenly(site.pages, RECALL_PAGES), browser)
} finally {
  await browser.close()
  site.close()
}
