import t from 'tap'
import { openBrowser } from '../../browser.ts'
import { assertIllegible, assertNoFindings } from '../../fixtures/visual-check/assertions.ts'
import { openCapture } from '../../fixtures/visual-check/capture.ts'
import { checkFixturePage } from '../../fixtures/visual-check/check-page.ts'
import { ILLEGIBLE, LEGIBLE, legibilityPage } from '../../fixtures/visual-check/page-cases/legibility.ts'
import { startSite } from '../../fixtures/visual-check/site.ts'

const [browser, site] = [await openBrowser(t), await startSite(t)]
const capture = await openCapture(t, 'legibility', site)

async function check(css: string, name: string) {
  const page = legibilityPage(site.origin, css, name)
  return await checkFixturePage(browser, { url: site.show(page), page })
}

for (const [name, { css, codes }] of Object.entries(ILLEGIBLE)) {
  t.test(`${name} is reported once, in both viewports`, async (t) => {
    const result = await check(css, name)
    capture.check(t, name, result)
    assertIllegible(t, result, codes)
  })
}

for (const [name, css] of Object.entries(LEGIBLE)) {
  t.test(`${name} has no findings`, async (t) => {
    const result = await check(css, name)
    capture.check(t, name, result)
    assertNoFindings(t, result)
  })
}
