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

/** Pages that show all of the post. The others show its beginning: a long page takes twice as long. */
const WITH_WHOLE_POST = [
  'a button in the corner of a code block',
  'swapped images',
  'text without its elements',
  'Markdown source',
  'filler text in place of a paragraph',
  'the last cell of each row missing',
  'an excerpt beside a table of contents'
]

async function check(name: string, change: Change) {
  const post = WITH_WHOLE_POST.includes(name) ? 'english' : 'excerpt'
  const page = goodPage(site.origin, post)
  page.path = `/blog/page-${(pages += 1)}`
  page.head.canonical = page.head.canonical.replace(`/blog/${post}`, page.path)
  change(page, site)
  return await checkFixturePage(browser, { url: site.show(page), page })
}

for (const [name, change] of Object.entries(GOOD_SITES)) {
  t.test(`a page with ${name} has no findings`, async (t) => {
    const result = await check(name, change)
    capture.check(t, name, result)
    assertNothingReported(t, result)
  })
}

for (const [name, { code, applyDefect }] of Object.entries(DEFECTIVE_SITES)) {
  t.test(`${code} is the only finding of a page with ${name}`, async (t) => {
    const result = await check(name, applyDefect)
    capture.check(t, name, result)
    assertOnly(t, result, code)
  })
}
