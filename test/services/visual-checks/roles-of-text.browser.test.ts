import t from 'tap'
import { openBrowser } from '../../browser.ts'
import { checkFixturePage } from '../../fixtures/visual-check/check-page.ts'
import { goodPage } from '../../fixtures/visual-check/page.ts'
import { startSite } from '../../fixtures/visual-check/site.ts'

const [browser, site] = [await openBrowser(t), await startSite(t)]

async function codesOf(change: (page: ReturnType<typeof goodPage>) => void): Promise<string[]> {
  const page = goodPage(site.origin)
  change(page)
  const { findings } = await checkFixturePage(browser, { url: site.show(page), page })
  return findings.map(({ code }) => code)
}

t.test('list items whose marker is a word have lost their markers', async (t) => {
  const codes = await codesOf((page) => {
    page.siteCss += 'main .post .svc-blog li { list-style: "undefined " }'
  })
  t.ok(codes.includes('LIST_STYLE_LOST'), codes.join())
})

t.test('a blog that is a link as a whole looks different', async (t) => {
  const codes = await codesOf((page) => {
    page.content = `<a href="/shop">${page.content}</a>`
  })
  t.ok(codes.includes('LOOKS_DIFFERENT'), codes.join())
})

t.test('an emphasized word in a lead in italics is not lost', async (t) => {
  const codes = await codesOf((page) => {
    const lead = '<p class="intro">The first figs of a year ripen <em>slowly</em>, and nobody should pick them.</p>'
    page.blog.html = lead + page.blog.html
    page.content = lead + page.content
    page.siteCss += '.intro { font-style: italic }'
  })
  t.notOk(codes.includes('EMPHASIS_LOST'), codes.join())
})
