import t from 'tap'
import { openBrowser } from '../../browser.ts'
import { assertNoFindings } from '../../fixtures/visual-check/assertions.ts'
import { openCapture } from '../../fixtures/visual-check/capture.ts'
import { checkFixturePage } from '../../fixtures/visual-check/check-page.ts'
import { goodPage } from '../../fixtures/visual-check/page.ts'
import { startSite } from '../../fixtures/visual-check/site.ts'

const [browser, site] = [await openBrowser(t), await startSite(t)]
const capture = await openCapture(t, 'good-pages', site)

for (const name of ['english', 'arabic', 'japanese'] as const) {
  t.test(`a good page (${name}) has no findings and a score of 100`, async (t) => {
    const page = goodPage(site.origin, name)
    const result = await checkFixturePage(browser, { url: site.show(page), page })
    capture.check(t, name, result)
    assertNoFindings(t, result)
    t.match(result.coverage, { inDom: 1, visible: 1, cssHeld: 1 })
    // Code that fades at the edge of its scroll container is not compared.
    t.ok(result.coverage.compared! > 0.9, `${result.coverage.compared}`)
  })
}
