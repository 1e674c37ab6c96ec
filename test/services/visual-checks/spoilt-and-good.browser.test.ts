import t from 'tap'
import { openBrowser } from '../../browser.ts'
import { GOOD_SITES } from '../../fixtures/visual-check/cases/good-sites.ts'
import { SPOILT_PAGES } from '../../fixtures/visual-check/cases/spoilt-pages.ts'
import type { Change } from '../../fixtures/visual-check/cases/case.ts'
import { checkFixturePage } from '../../fixtures/visual-check/check-page.ts'
import { goodPage } from '../../fixtures/visual-check/page.ts'
import { startSite } from '../../fixtures/visual-check/site.ts'

const [browser, site] = [await openBrowser(t), await startSite(t)]
let pages = 0

async function judged(change: Change) {
  const page = goodPage(site.origin)
  page.path = `/blog/page-${(pages += 1)}`
  page.head.canonical = page.head.canonical.replace('/blog/english', page.path)
  change(page, site)
  const { findings, overallScore } = await checkFixturePage(browser, { url: site.show(page), page })
  return { told: findings.filter(({ severity }) => severity !== 'info'), overallScore }
}

for (const [name, make] of Object.entries(GOOD_SITES)) {
  t.test(`${name}: nothing is found`, async (t) => {
    const { told, overallScore } = await judged(make)
    t.same(
      told.map(({ code, evidence }) => ({ code, evidence })),
      []
    )
    t.equal(overallScore, 100)
  })
}

for (const [name, { code, make }] of Object.entries(SPOILT_PAGES)) {
  t.test(`${name}: ${code}, and nothing else`, async (t) => {
    const { told, overallScore } = await judged(make)
    t.same(
      told.map((finding) => finding.code),
      [code],
      JSON.stringify(told.map(({ code, evidence }) => [code, evidence]))
    )
    t.ok(overallScore < 100)
  })
}
