import { stripVTControlCharacters } from 'node:util'
import t from 'tap'
import { renderTextReport } from '../../../../bin/svc/check/text.ts'
import { columnWidth } from '../../../../bin/svc/check/terminal.ts'
import { hiddenText, sampleCheck, thinContrast } from '../../../fixtures/visual-check/sample-check.ts'

const REPORT = `https://shop.example/blog/which-tire-width
redirected to https://shop.example/blog/which-tire-width/

45 of 100   Serious problems
Environment: live · 100% of the text found · 50% visible · 99% of the blog's CSS applied
since the previous check: score 97 → 45 · new: TEXT_HIDDEN · fixed: FONT_SMALL

Content      ██████████████████████████████  100
Layout       ███████████████░░░░░░░░░░░░░░░   50
Images       ██████████████████████████████  100
Style        ██████████████████████████████  100
Readability  ██████████████████████████░░░░   88
Metadata     █████████████████████████████░   99
Loading      ░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░    0

CRITICAL (1)

  1  Text is hidden.
     TEXT_HIDDEN · layout · mobile and desktop · 12 places
     fix       Remove \`display: none\`, \`visibility: hidden\` or the collapsed state from the
               element and its ancestors.
     where     main > article > div.body > p:nth-child(3)
               mobile 350 × 96 at 20, 612 · desktop 720 × 60 at 323, 540 · block 2
               main > article > div.body > p:nth-child(4)
               mobile · block 3
               and 10 more
     expected  A wide tire rolls more softly over gravel, and no slower than a narrow one.
     actual    (nothing)
     measured  hidden share 0.5 · cause opacity · opacity 0 · blocks 2, 3, 4, and 2 more

MEDIUM (1)

  2  Text and background have insufficient contrast.
     LOW_CONTRAST · readability · desktop · outside the article · needs review, not scored
     fix       Use a contrast ratio of at least 4.5:1, or 3:1 for large text.
     where     footer p
               desktop 1366 × 80 at 0, 2300
     measured  contrast 2.84

Check 019a0000-0000-7000-8000-000000000001 · checker version 1 · Chromium 153.0.1
missing fonts: Arabic · 3.2 s`

t.test('the text report has the score, the categories, and the findings with places and advice', async (t) => {
  t.equal(renderTextReport(sampleCheck).join('\n'), REPORT)
})

t.test('text whose legibility could not be measured is mentioned', async (t) => {
  const coverage = { ...sampleCheck.coverage!, measured: 0.75 }
  t.match(renderTextReport({ ...sampleCheck, coverage }).join('\n'), 'CSS applied\n75% with known legibility\n')
  t.notMatch(renderTextReport({ ...sampleCheck, coverage: { ...coverage, measured: 1 } }).join('\n'), 'legibility')
})

t.test('colors do not change the text', async (t) => {
  const colored = renderTextReport(sampleCheck, { colors: true })
  t.match(colored.join('\n'), '\u001b[1m\u001b[31m45 of 100\u001b[39m\u001b[22m')
  t.strictSame(colored.map(stripVTControlCharacters), renderTextReport(sampleCheck))
})

t.test('a check without a score shows the reason', async (t) => {
  const lines = renderTextReport({
    ...sampleCheck,
    status: 'blocked',
    overallScore: null,
    categories: null,
    coverage: null,
    since: null,
    findings: [],
    reason: 'The address is not public.'
  })
  t.strictSame(lines.slice(2, 5), ['', 'no score   The address is not public.', 'Environment: live · status: blocked'])
  t.notMatch(lines.join('\n'), /No problems found|█|undefined|null/)
  t.match(
    renderTextReport({ ...sampleCheck, status: 'timeout', overallScore: null, reason: null, findings: [] }).join('\n'),
    'The page did not load in time.'
  )
})

t.test('a check without findings says so', async (t) => {
  const lines = renderTextReport({ ...sampleCheck, overallScore: 100, findings: [] }).join('\n')
  t.match(lines, '100 of 100   No visible problems')
  t.match(lines, 'No problems found.')
})

t.test('page content cannot control the terminal, and long words are wrapped', async (t) => {
  const hostile = '\u001b]0;owned\u0007\u001b[2Jx\u202Eevil\r\nsecond line\u009b31m'
  const finding = {
    ...hiddenText,
    message: hostile,
    advice: hostile,
    expected: 'ä'.repeat(5000),
    actual: '漢字'.repeat(300),
    evidence: { [hostile]: hostile, deep: { list: [{ a: hostile }] }, nothing: null }
  }
  const lines = renderTextReport({
    ...sampleCheck,
    url: `https://shop.example/${'a'.repeat(500)}`,
    finalUrl: hostile,
    findings: [
      { ...finding, locations: [{ ...hiddenText.locations[0]!, selector: `${hostile}${'div > '.repeat(200)}` }] },
      thinContrast
    ]
  })
  for (const line of lines) {
    t.notMatch(line, /[\p{Cc}\u202e]/u)
    if (columnWidth(line) > 92) t.fail(`${columnWidth(line)} columnWidth: ${line}`)
  }
  t.match(lines.join('\n'), '…', 'long text is truncated')
})
