import t from 'tap'
import { openBrowser } from '../../browser.ts'
import { checkFixturePage } from '../../fixtures/visual-check/check-page.ts'
import { goodPage } from '../../fixtures/visual-check/page.ts'
import { startSite } from '../../fixtures/visual-check/site.ts'

const [browser, site] = [await openBrowser(t), await startSite(t)]

for (const name of ['english', 'arabic', 'japanese'] as const) {
  t.test(`nothing is found in a good page in ${name}, and it gets 100`, async (t) => {
    const page = goodPage(site.origin, name)
    const { findings, overallScore, coverage } = await checkFixturePage(browser, { url: site.show(page), page })
    t.same(
      findings.map(({ code, evidence }) => ({ code, evidence })),
      []
    )
    t.equal(overallScore, 100)
    t.same(coverage, { inDom: 1, visible: 1, cssHeld: 1 })
  })
}
