import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import t from 'tap'
import { openBrowser } from '../../browser.ts'
import { CASES } from '../../fixtures/visual-check/page-cases/index.ts'
import { checkFixturePage } from '../../fixtures/visual-check/check-page.ts'
import { goodPage } from '../../fixtures/visual-check/page.ts'
import { startSite } from '../../fixtures/visual-check/site.ts'

/** `VARIANCE=20` looks so often. */
const TIMES = Number(process.env.VARIANCE ?? 6)
/** One that is covered late, one whose text moves late, one whose picture is measured. */
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
  const what = code === null ? 'a good page' : `a page with ${CASES[code].defect}`
  t.test(`${what} gets the same score for the same reasons ${TIMES} times of ${TIMES} on a busy machine`, async (t) => {
    const page = goodPage(site.origin)
    page.path = `/blog/again-${code ?? 'good'}`
    page.head.canonical = page.head.canonical.replace('/blog/english', page.path)
    if (code !== null) CASES[code].applyDefect(page, site)
    const url = site.show(page)
    const seen = new Map<string, number>()
    for (let time = 0; time < TIMES; time++) {
      const { overallScore, findings } = await checkFixturePage(browser, { url, page })
      const judgment = `${overallScore}: ${findings.map(({ code, extent, viewports }) => `${code} ${extent} ${viewports.join('+')}`).join(', ')}`
      seen.set(judgment, (seen.get(judgment) ?? 0) + 1)
    }
    t.equal(seen.size, 1, JSON.stringify([...seen]))
    t.match([...seen.keys()][0], code ?? /^100: $/)
  })
}
