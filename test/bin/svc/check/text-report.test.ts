import { stripVTControlCharacters } from 'node:util'
import t from 'tap'
import { textReport } from '../../../../bin/svc/check/report/text.ts'
import { columns } from '../../../../bin/svc/check/report/terminal.ts'
import { hiddenText, sampleCheck, thinContrast } from '../../../services/visual-checks/sample-check.ts'

const REPORT = `https://shop.example/blog/which-tyre-width
which led to https://shop.example/blog/which-tyre-width/

45 of 100   Serious flaws
completed · live · text in the page 100 % · text to be seen 50 % · own CSS in force 99 %
since the check before: score 97 → 45 · new: TEXT_HIDDEN · gone: FONT_SMALL

Content      ██████████████████████████████  100
Layout       ███████████████░░░░░░░░░░░░░░░   50
Images       ██████████████████████████████  100
Style        ██████████████████████████████  100
Readability  ██████████████████████████░░░░   88
Metadata     █████████████████████████████░   99
Loading      ░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░    0

CRITICAL (1)

  1  Text of the blog is in the page, but a reader cannot see it.
     TEXT_HIDDEN · layout · mobile and desktop · 12 places
     do        Look for display: none, visibility: hidden or a height of 0 on the element or
               above it, and take it out.
     where     main > article > div.body > p:nth-child(3)
               mobile 350 × 96 at 20, 612 · desktop 720 × 60 at 323, 540 · block 2
               main > article > div.body > p:nth-child(4)
               mobile · block 3
               and 9 more
     expected  A wide tyre rolls more softly over gravel, and no slower than a narrow one.
     found     (nothing)
     measured  hidden share 0.5 · cause opacity · opacity 0 · blocks 2, 3, 4, and 2 more

MEDIUM (1)

  2  Text has too little contrast to its ground.
     LOW_CONTRAST · readability · desktop · the site's own frame · for a person to judge,
     not scored
     do        Give the text a color of at least 4.5 to 1 on its ground.
     where     footer p
               desktop 1366 × 80 at 0, 2300
     measured  contrast 2.84

check 019a0000-0000-7000-8000-000000000001 · rules 1 · Chromium 153.0.1 · no font here for
Arabic · 3.2 s`

t.test('a check is told in a terminal: score, categories, what was found, where, and what to do', async (t) => {
  t.equal(textReport(sampleCheck).join('\n'), REPORT)
})

t.test('colors change nothing but the colors', async (t) => {
  const colored = textReport(sampleCheck, { colors: true })
  t.match(colored.join('\n'), '\u001b[1;31m45 of 100\u001b[0m')
  t.strictSame(colored.map(stripVTControlCharacters), textReport(sampleCheck))
})

t.test('a page that could not be judged says why instead of a score', async (t) => {
  const lines = textReport({
    ...sampleCheck,
    status: 'blocked',
    overallScore: null,
    categories: null,
    coverage: null,
    since: null,
    findings: [],
    reason: 'The address is not public.'
  })
  t.strictSame(lines.slice(2, 5), ['', 'no score   The address is not public.', 'blocked · live'])
  t.notMatch(lines.join('\n'), /Nothing was found|█|undefined|null/)
  t.match(
    textReport({ ...sampleCheck, status: 'timeout', overallScore: null, reason: null, findings: [] }).join('\n'),
    'The page did not come in time.'
  )
})

t.test('a page without flaws is told so', async (t) => {
  const lines = textReport({ ...sampleCheck, overallScore: 100, findings: [] }).join('\n')
  t.match(lines, '100 of 100   As it should be')
  t.match(lines, 'Nothing was found that is not as it should be.')
})

t.test('what a page writes cannot steer the terminal, and long words stay within its width', async (t) => {
  const hostile = '\u001b]0;owned\u0007\u001b[2Jx\u202Eevil\r\nsecond line\u009b31m'
  const finding = {
    ...hiddenText,
    message: hostile,
    advice: hostile,
    expected: 'ä'.repeat(5000),
    actual: '漢字'.repeat(300),
    evidence: { [hostile]: hostile, deep: { list: [{ a: hostile }] }, nothing: null }
  }
  const lines = textReport({
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
    if (columns(line) > 92) t.fail(`${columns(line)} columns: ${line}`)
  }
  t.match(lines.join('\n'), '…', 'what is too long is cut off')
})
