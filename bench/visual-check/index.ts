import { parseArgs } from 'node:util'
import { findChromium } from '../../ports/browser/playwright/find-chromium.ts'
import { openBrowser } from '../../ports/browser/open.ts'
import { spread } from './numbers.ts'
import { openSite } from './open-site.ts'
import { measureRecall } from './recall.ts'
import { measureSameness } from './sameness.ts'
import { measureSpeed } from './speed.ts'
import { measureThroughput } from './throughput.ts'

/**
 * The visual check: its time against Lighthouse, checks a minute and memory, whether a page gets
 * the same score each time on a busy machine, and what it says of
 * pages that are known: with --corpus of defects and harmless twists, else of faultless pages of
 * the demo's blogs alone. PAGES, evenly spread, are taken for each measure but recall, which takes
 * RECALL_PAGES (default all).
 * PARTS: a comma list of the measures wanted.
 */
const {
  values: { corpus }
} = parseArgs({ options: { corpus: { type: 'string' } } })
const { PARTS = 'speed,throughput,sameness,recall', CHROMIUM_PATH } = process.env
const PAGES = Number(process.env.PAGES ?? 6)
const ROUNDS = Number(process.env.ROUNDS ?? 3)
const CHECKS = Number(process.env.CHECKS ?? 60)
const RUNS = Number(process.env.RUNS ?? 20)
const RECALL_PAGES = Number(process.env.RECALL_PAGES ?? Infinity)
const wanted = PARTS.split(',')

const site = await openSite(corpus)
const browser = await openBrowser({ chromiumPath: CHROMIUM_PATH, allow: '127.0.0.1' })
try {
  const pages = spread(site.pages, PAGES)
  // Speeds are of pages that can be seen: a defect may be that nothing answers.
  const faultless = spread(
    site.pages.filter(({ named }) => named?.length === 0),
    PAGES
  )
  // Before Lighthouse is loaded, whose memory is not the checker's.
  if (wanted.includes('throughput')) await measureThroughput(faultless, { browser, checks: CHECKS, sitePid: site.pid })
  if (wanted.includes('speed')) {
    const { openLighthouse } = await import('./lighthouse.ts')
    const lighthouse = await openLighthouse((await findChromium({ path: CHROMIUM_PATH })).executablePath)
    try {
      await measureSpeed(faultless, { browser, lighthouse, rounds: ROUNDS })
    } finally {
      lighthouse.close()
    }
  }
  if (wanted.includes('sameness')) await measureSameness(pages, { browser, runs: RUNS })
  if (wanted.includes('recall')) await measureRecall(spread(site.pages, RECALL_PAGES), browser)
} finally {
  await browser.close()
  site.close()
}
