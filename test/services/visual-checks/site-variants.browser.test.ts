import t from 'tap'
import { openBrowser } from '../../browser.ts'
import { assertNothingReported, assertOnly } from '../../fixtures/visual-check/assertions.ts'
import { openCapture } from '../../fixtures/visual-check/capture.ts'
import { checkFixturePage } from '../../fixtures/visual-check/check-page.ts'
import type { Change } from '../../fixtures/visual-check/page-cases/case.ts'
import { DEFECTIVE_SITES } from '../../fixtures/visual-check/page-cases/defective-sites.ts'
import { GOOD_SITES } from '../../fixtures/visual-check/page-cases/good-sites.ts'
import { goodPage } from '../../fixtures/visual-check/page.ts'
import { startSite } from '../../fixtures/visual-check/site.ts'

const [browser, site] = [await openBrowser(t), await startSite(t)]
const capture = await openCapture(t, 'site-variants', site)
let pages = 0

async function check(change: Change) {
  const page = goodPage(site.origin)
  page.path = `/blog/page-${(pages += 1)}`
  page.head.canonical = page.head.canonical.replace('/blog/english', page.path)
  change(page, site)
  return await checkFixturePage(browser, { url: site.show(page), page })
}

for (const [name, change] of Object.entries(GOOD_SITES)) {
  t.test(`a page with ${name} has no findings`, async (t) => {
    const result = await check(change)
    capture.check(t, name, result)
    assertNothingReported(t, result)
  })
}

for (const [name, { code, applyDefect }] of Object.entries(DEFECTIVE_SITES)) {
  t.test(`${code} is the only finding of a page with ${name}`, async (t) => {
    const result = await check(applyDefect)
    capture.check(t, name, result)
    assertOnly(t, result, code)
  })
}
