import t from 'tap'
import { formatFigures, getFigures } from '../../bench/visual-check/held-out/figures.ts'
import { createLocator } from '../../bench/visual-check/held-out/locate.ts'
import { measureCases, sampleCases } from '../../bench/visual-check/held-out/measure.ts'
import { findChromium } from '../../ports/browser/playwright/child/find-chromium.ts'
import { openBrowser } from '../../ports/browser/open.ts'
import { FINDING_CODES } from '../../services/visual-checks/rules/codes.ts'
import { BROWSER_OPTIONS } from '../browser.ts'
import { openVisualPages, type VisualPages } from '../data/visual-pages/cases.ts'
import { DEFECTS, THIRD_DEFECTS } from '../data/visual-pages/defects/index.ts'
import { HARMLESS_CHANGES, THIRD_HARMLESS_CHANGES } from '../data/visual-pages/harmless/index.ts'
import { STYLES } from '../data/visual-pages/styles/index.ts'
import { HALVES } from '../data/visual-pages/types.ts'

/** Pages of the sample, besides the plain page of each. */
const SAMPLE = 16
const SEED = 3

let pages: VisualPages

t.before(async () => {
  pages = await openVisualPages()
})
t.teardown(() => pages.close())

t.test('the halves of the visual pages are large and have nothing in common', async (t) => {
  for (const half of HALVES) {
    const ofHalf = <T extends { half: string }>(items: readonly T[]): T[] => items.filter((item) => item.half === half)
    t.equal(ofHalf(STYLES).length, 12, `${half}: styles`)
    t.ok(ofHalf(DEFECTS).length >= 60, `${half}: ${ofHalf(DEFECTS).length} kinds of defects`)
    t.ok(ofHalf(HARMLESS_CHANGES).length >= 30, `${half}: ${ofHalf(HARMLESS_CHANGES).length} kinds of harmless changes`)
  }
  t.ok(THIRD_DEFECTS.length >= 40, `third set: ${THIRD_DEFECTS.length} kinds of defects`)
  t.ok(THIRD_HARMLESS_CHANGES.length >= 20, `third set: ${THIRD_HARMLESS_CHANGES.length} kinds of harmless changes`)
  for (const half of HALVES) {
    for (const changes of [THIRD_DEFECTS, THIRD_HARMLESS_CHANGES]) {
      t.ok(changes.filter((change) => change.half === half).length >= changes.length / 3, `third set: ${half}`)
    }
  }
  const names = [...STYLES, ...DEFECTS, ...HARMLESS_CHANGES, ...THIRD_DEFECTS, ...THIRD_HARMLESS_CHANGES].map(
    ({ name }) => name
  )
  t.equal(new Set(names).size, names.length, 'all names are different')
})

t.test('every change changes its page', async (t) => {
  for (const pageCase of pages.cases.values()) {
    const plain = pages.render({ ...pageCase, defect: null, harmless: null })
    const page = pages.render(pageCase)
    t.equal(JSON.stringify(page) === JSON.stringify(plain), pageCase.kind === 'plain', pageCase.id)
  }
})

t.test('every defect can be named', async (t) => {
  const known = new Set<string>(FINDING_CODES)
  for (const { name, codes, pattern, target } of [...DEFECTS, ...THIRD_DEFECTS]) {
    t.ok(codes.length > 0 || pattern !== undefined || target !== undefined, name)
    t.same(
      codes.filter((code) => !known.has(code)),
      [],
      `${name}: codes`
    )
  }
})

t.test(
  'the check names the defects of unseen pages, and faultless ones have high scores',
  { timeout: 240_000 },
  async (t) => {
    const browser = await openBrowser({ ...BROWSER_OPTIONS, chromiumPath: undefined, allow: '127.0.0.1' })
    t.teardown(() => browser.close())
    const locator = createLocator((await findChromium({ path: undefined })).executablePath)
    t.teardown(() => locator.close())
    const sample = sampleCases(pages.cases, { half: 'held-out', count: SAMPLE, seed: SEED })
    const figures = getFigures(await measureCases(sample, { browser, locator, cases: pages.cases }))
    t.comment(formatFigures(figures))
    // What holds on this sample, so that quality cannot fall unnoticed. Lower the numbers when it rises.
    t.ok(figures.unnamed.length <= 1, `${figures.unnamed.length} of ${figures.defects} defects are not named`)
    t.ok(figures.tooHigh.length <= 1, `${figures.tooHigh.length} of ${figures.visible} keep a score of 95 or more`)
    t.ok(figures.tooLow.length <= 0, `${figures.tooLow.length} of ${figures.plain} faultless pages have less than 95`)
    t.ok(figures.alarms.length <= 0, `${figures.alarms.length} of ${figures.harmless} harmless changes have an alarm`)
  }
)
