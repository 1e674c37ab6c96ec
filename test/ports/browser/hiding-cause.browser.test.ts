import t from 'tap'
import { openPlaywrightBrowser } from '../../../ports/browser/playwright/index.ts'
import { BROWSER_OPTIONS } from '../../browser.ts'
import { startSite } from '../../fixtures/visual-check/site.ts'
import { getExpectedPageAt } from '../../fixtures/visual-check/check-page.ts'
import { goodPage } from '../../fixtures/visual-check/page.ts'
import { evaluate } from '../../../services/visual-checks/evaluate.ts'

const site = await startSite(t)
const browser = openPlaywrightBrowser({ ...BROWSER_OPTIONS, allow: '127.0.0.1' })
t.teardown(() => browser.close())

const DEFECTS: Record<string, { style: string; code: string; evidence: object }> = {
  'display, by a rule in a media query': {
    style: '@media (min-width: 300px) { .svc-blog .clay { display: none } }',
    code: 'TEXT_HIDDEN',
    evidence: { cause: 'display: none', rule: '.svc-blog .clay' }
  },
  'visibility, inherited from an ancestor': {
    style: '.content { visibility: hidden } .content { color: #222 }',
    code: 'TEXT_HIDDEN',
    evidence: { cause: 'visibility: hidden', rule: '.content' }
  },
  'opacity, by an important rule that another one follows': {
    style: '.svc-blog > * { opacity: 0 !important } .svc-blog > * { opacity: 1 }',
    code: 'TEXT_TRANSPARENT',
    evidence: { cause: 'opacity: 0', rule: '.svc-blog > *' }
  },
  'a box of fixed height': {
    style: '.content { max-height: 200px; overflow: hidden }',
    code: 'TEXT_CLIPPED',
    evidence: { cause: 'max-height: 200px', rule: '.content' }
  },
  'a position outside of the page': {
    style: '.svc-blog { position: absolute; left: -9999px }',
    code: 'TEXT_OFFSCREEN',
    evidence: { cause: 'left: -9999px', rule: '.svc-blog' }
  },
  'the color of the page': {
    style: '.svc-blog .choosing, .svc-blog .ripe { color: #fdfcf8 }',
    code: 'TEXT_INVISIBLE_COLOR',
    evidence: { cause: 'color: rgb(253, 252, 248)', rule: '.svc-blog .choosing, .svc-blog .ripe' }
  },
  'a tiny font': {
    style: '.post .svc-blog p { font-size: 1px }',
    code: 'TEXT_SHRUNK',
    evidence: { cause: 'font-size: 1px', rule: '.post .svc-blog p' }
  }
}

t.test('a finding about hidden text names the declaration, its rule and its style sheet', async (t) => {
  for (const [index, [name, { style, code, evidence }]] of Object.entries(DEFECTS).entries()) {
    const stylesheet = `${site.origin}/hide-${index}.css`
    const page = goodPage(site.origin)
    page.answers[`/hide-${index}.css`] = { type: 'text/css', body: style }
    page.head.canonical += `<link rel="stylesheet" href="${stylesheet}">`
    const url = site.show(page)
    const expected = getExpectedPageAt(url, page)
    const { snapshots } = await browser.inspectPage({
      ...{ url, accountId: 'garden', blog: expected, viewports: ['desktop'], screenshotDetail: 'none' },
      signal: AbortSignal.timeout(60_000)
    })
    const { findings } = evaluate({ snapshots, expected, missingFonts: [] })
    const finding = findings.find((one) => one.code === code)
    t.match(finding?.evidence, { ...evidence, stylesheet, element: String }, name)
  }
})
