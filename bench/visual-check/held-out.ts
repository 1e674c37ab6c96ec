import { parseArgs } from 'node:util'
import { findChromium } from '../../ports/browser/playwright/child/find-chromium.ts'
import { openBrowser } from '../../ports/browser/open.ts'
import { openVisualPages } from '../../test/data/visual-pages/cases.ts'
import { HALVES, SETS, type CaseSet, type Half } from '../../test/data/visual-pages/types.ts'
import { pickEvenly } from './helpers.ts'
import { formatFigures, formatMissed, formatRepeats, getFigures } from './held-out/figures.ts'
import { createLocator } from './held-out/locate.ts'
import { measureCases, measureRepeats, sampleCases } from './held-out/measure.ts'
import { verifyCases } from './held-out/verify.ts'

/*
 * Judges the visual check on pages that its rules have not seen (test/data/visual-pages). Rules are
 * tuned on the half `tune`; the half `held-out` prints figures only, so that nobody tunes on it.
 */
const { values } = parseArgs({
  options: {
    half: { type: 'string', default: 'held-out' },
    set: { type: 'string', default: 'first' },
    only: { type: 'string' },
    sample: { type: 'string', default: 'Infinity' },
    seed: { type: 'string', default: '1' },
    repeats: { type: 'string', default: '6' },
    results: { type: 'string' },
    'list-missed': { type: 'boolean', default: false },
    reveal: { type: 'boolean', default: false },
    verify: { type: 'string' }
  }
})
const half = values.half as Half
if (!HALVES.includes(half)) throw new Error(`--half must be one of ${HALVES.join(', ')}`)
const set = values.set as CaseSet
if (!SETS.includes(set)) throw new Error(`--set must be one of ${SETS.join(', ')}`)
if (values['list-missed'] && half === 'held-out' && !values.reveal) {
  throw new Error('--list-missed is for the half `tune`. For the half `held-out`, add --reveal.')
}

const { CHROMIUM_PATH, PATH = '', HOME = '' } = process.env
const pages = await openVisualPages()
const locator = createLocator((await findChromium({ path: CHROMIUM_PATH })).executablePath)
try {
  const drawn = sampleCases(pages.cases, { half, set, count: Number(values.sample), seed: Number(values.seed) })
  const only = new RegExp(values.only ?? '')
  const sample = drawn.filter(({ id }) => only.test(id))
  if (values.verify === undefined) {
    const browser = await openBrowser({
      chromiumPath: CHROMIUM_PATH,
      allow: '127.0.0.1',
      sandbox: process.getuid?.() === 0 ? 'off' : 'on',
      maxMemoryBytes: 1_500_000_000,
      environment: { PATH, HOME }
    })
    try {
      const figures = getFigures(
        await measureCases(sample, { browser, locator, cases: pages.cases, file: values.results })
      )
      console.log(`${half}, ${sample.length} pages, seed ${values.seed}\n\n${formatFigures(figures)}\n`)
      if (values['list-missed']) console.log(`${formatMissed(figures)}\n`)
      const repeated = pickEvenly(sample, Number(values.repeats))
      if (repeated.length > 0) console.log(formatRepeats(await measureRepeats(repeated, browser)))
    } finally {
      await browser.close()
    }
  } else {
    // The data itself, without the checker: pictures of the pages, and changes that change nothing.
    const problems = await verifyCases(sample, { locator, cases: pages.cases, folder: values.verify })
    console.log(problems.length === 0 ? `${sample.length} pages are as described` : problems.join('\n'))
    process.exitCode = problems.length === 0 ? 0 : 1
  }
} finally {
  await locator.close()
  await pages.close()
}
