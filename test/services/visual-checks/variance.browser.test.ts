import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import t from 'tap'
import { openBrowser } from '../../browser.ts'
import { checkFixturePage } from '../../fixtures/visual-check/check-page.ts'
import { CASES } from '../../fixtures/visual-check/page-cases/index.ts'
import { goodPage } from '../../fixtures/visual-check/page.ts'
import { startSite } from '../../fixtures/visual-check/site.ts'

/** `VARIANCE=20` checks each page more often. */
const TIMES = Number(process.env.VARIANCE ?? 6)
/** A late overlay, a late layout shift, and an image that is measured. */
const DEFECTS = ['TEXT_COVERED', 'LAYOUT_SHIFT', 'IMAGE_DISTORTED'] as const

const [browser, site] = [await openBrowser(t), await startSite(t)]
const busy = Array.from(
  { length: availableParallelism() },
  () => new Worker('for (;;) Math.sqrt(Math.random())', { eval: true })
)
t.teardown(async () => {
  await Promise.all(busy.map((worker) => worker.terminate()))
})

for (const code of [null, ...DEFECTS]) {
  const name = code === null ? 'a good page' : `a page with ${CASES[code].defect}`
  t.test(`${name} gets the same score and findings ${TIMES} times on a busy machine`, async (t) => {
    const page = goodPage(site.origin)
    page.path = `/blog/again-${code ?? 'good'}`
    page.head.canonical = page.head.canonical.replace('/blog/english', page.path)
    if (code !== null) CASES[code].applyDefect(page, site)
    const url = site.show(page)
    const results = new Map<string, number>()
    for (let time = 0; time < TIMES; time++) {
      const { overallScore, findings } = await checkFixturePage(browser, { url, page })
      const summaries = findings.map(({ code, extent, viewports }) => `${code} ${extent} ${viewports.join('+')}`)
      const result = `${overallScore}: ${summaries.join(', ')}`
      results.set(result, (results.get(result) ?? 0) + 1)
    }
    t.equal(results.size, 1, JSON.stringify([...results]))
    t.match([...results.keys()][0], code ?? /^100: $/)
  })
}
