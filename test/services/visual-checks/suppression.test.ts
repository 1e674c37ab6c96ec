import t from 'tap'
import { removeSuppressed } from '../../../services/visual-checks/suppression.ts'
import type { FindingCode } from '../../../services/visual-checks/rules/codes.ts'
import { getRule, RULES } from '../../../services/visual-checks/rules/index.ts'
import { evaluate } from '../../../services/visual-checks/evaluate.ts'
import type { Change } from '../../fixtures/visual-check/snapshot-cases/case.ts'
import { content } from '../../fixtures/visual-check/snapshot-cases/content.ts'
import { head } from '../../fixtures/visual-check/snapshot-cases/head.ts'
import { layout } from '../../fixtures/visual-check/snapshot-cases/layout.ts'
import { reading } from '../../fixtures/visual-check/snapshot-cases/reading.ts'
import { roles } from '../../fixtures/visual-check/snapshot-cases/roles.ts'
import { runtime } from '../../fixtures/visual-check/snapshot-cases/runtime.ts'
import { expected, snapshotsWith, lose, setType, setVisibility } from '../../fixtures/visual-check/snapshots.ts'

const CASES = { ...content, ...layout, ...reading, ...head, ...roles, ...runtime }

function codesOf(...changes: Change[]): string[] {
  const ours = expected()
  const snapshots = snapshotsWith((snapshot) => {
    for (const change of changes) change(snapshot, ours)
  })
  return evaluate({ snapshots, expected: ours, missingFonts: [] })
    .findings.filter(({ severity }) => severity !== 'info')
    .map(({ code }) => code)
    .sort()
}
const codesOfBoth = (...codes: (keyof typeof CASES)[]) =>
  codesOf(...codes.map((code): Change => CASES[code].applyDefect))

for (const [first, second] of [
  ['TEXT_HIDDEN', 'LOW_CONTRAST'],
  ['TEXT_HIDDEN', 'BLOG_CSS_NOT_APPLIED'],
  ['TEXT_CLIPPED', 'IMAGE_BROKEN'],
  ['CONTENT_INCOMPLETE', 'IMAGE_MISSING'],
  ['CONTENT_TRUNCATED', 'H1_DUPLICATE'],
  ['CONTENT_CHANGED', 'FONT_TOO_SMALL'],
  ['ESCAPED_ENTITIES', 'CONTENT_INCOMPLETE'],
  ['JS_ERROR', 'CONTENT_MISSING'],
  ['RESOURCE_FAILED', 'TEXT_TRANSPARENT'],
  ['SLOW_RESPONSE', 'WRONG_POST'],
  ['NO_MOBILE_VIEWPORT', 'LOW_CONTRAST'],
  ['FONT_TOO_SMALL', 'LINE_HEIGHT_TIGHT'],
  ['IMAGE_BROKEN', 'IMAGE_FOREIGN'],
  ['HEADLINE_MISMATCH', 'TITLE_MISMATCH'],
  ['NOINDEX', 'CANONICAL_ELSEWHERE'],
  ['LAYOUT_SHIFT', 'IMAGE_NOT_LOADED'],
  ['CONTENT_DUPLICATED', 'TEXT_DIRECTION'],
  ['STYLESHEET_FAILED', 'IMAGE_BROKEN'],
  ['LOW_CONTRAST', 'BLOG_CSS_NOT_APPLIED'],
  ['PLACEHOLDER_TEXT', 'MOJIBAKE']
] as const) {
  t.test(`${first} and ${second} of one page are both reported`, async (t) => {
    t.same(
      codesOfBoth(first, second).filter((code) => code !== first && code !== second),
      []
    )
    t.ok(codesOfBoth(first, second).includes(first))
    t.ok(codesOfBoth(first, second).includes(second))
  })
}

t.test('a wrong page is reported with its script errors only', async (t) => {
  for (const page of ['LOGIN_WALL', 'SOFT_404', 'REDIRECTED_AWAY', 'WRONG_POST', 'CONTENT_MISSING'] as const) {
    t.same(
      codesOfBoth(page, 'META_DESCRIPTION_MISSING', 'LANG_MISMATCH', 'NOINDEX', 'JS_ERROR'),
      [page, 'JS_ERROR'].sort()
    )
  }
})

t.test('an HTTP error is reported with runtime findings only', async (t) => {
  t.same(codesOfBoth('HTTP_ERROR', 'NOINDEX', 'RESOURCE_FAILED', 'PLACEHOLDER_TEXT', 'DIALOG_SHOWN'), [
    'DIALOG_SHOWN',
    'HTTP_ERROR',
    'RESOURCE_FAILED'
  ])
})

t.test('the consequences of a narrow column are suppressed', async (t) => {
  t.same(
    codesOf(CASES.COLUMN_TOO_NARROW.applyDefect, (snapshot) => {
      setVisibility(snapshot, { clippedShare: 0.2 })
      setType(snapshot, { lineHeightRatio: 1.1 })
      snapshot.overflows = [{ selector: 'a', box: null, overflowPx: 40, inArticle: true }]
    }),
    ['COLUMN_TOO_NARROW']
  )
})

t.test('hidden text suppresses CSS and image findings; a hidden line does not', async (t) => {
  const css: Change = (snapshot) => {
    snapshot.css = { declarations: 40, applied: 16, broken: [] }
    snapshot.images[0]!.rendered = false
  }
  t.same(
    codesOf(css, (snapshot) => {
      setVisibility(snapshot, { rendered: false })
    }),
    ['TEXT_HIDDEN']
  )
  t.same(
    codesOf(css, (snapshot) => {
      setVisibility(snapshot, { rendered: false }, [4])
    }),
    ['BLOG_CSS_NOT_APPLIED', 'IMAGE_INVISIBLE', 'TEXT_HIDDEN']
  )
})

t.test('an overridden color is reported as low contrast, and not as overridden CSS too', async (t) => {
  const overridden =
    (property: string): Change =>
    (snapshot) => {
      setVisibility(snapshot, { contrast: 1.8 })
      snapshot.css = { declarations: 40, applied: 16, broken: [{ selector: 'p', property, expected: '', actual: '' }] }
    }
  t.same(codesOf(overridden('color')), ['LOW_CONTRAST'])
  t.same(codesOf(overridden('padding-top')), ['BLOG_CSS_NOT_APPLIED', 'LOW_CONTRAST'])
})

t.test('a finding suppresses others of its viewport, and some of any viewport', async (t) => {
  const found = (code: FindingCode, viewport: 'mobile' | 'desktop', extent = 1) => ({
    code,
    viewport,
    extent,
    evidence: {}
  })
  t.same(
    removeSuppressed([
      found('TEXT_HIDDEN', 'mobile'),
      found('LOW_CONTRAST', 'desktop'),
      found('LOW_CONTRAST', 'mobile')
    ]),
    [found('TEXT_HIDDEN', 'mobile'), found('LOW_CONTRAST', 'desktop')]
  )
  t.same(removeSuppressed([found('TEXT_COVERED', 'mobile'), found('VIEWPORT_OBSTRUCTED', 'desktop')]), [
    found('TEXT_COVERED', 'mobile')
  ])
})

t.test('suppressions are not circular', async (t) => {
  const getSuppressed = (code: FindingCode): FindingCode[] => {
    const conditions: readonly (readonly FindingCode[])[] = Object.values({ ...getRule(code).suppresses })
    return conditions.flat()
  }
  for (const { code: start } of RULES) {
    const reached = new Set(getSuppressed(start))
    for (const code of reached) for (const next of getSuppressed(code)) reached.add(next)
    t.notOk(reached.has(start), start)
  }
})

t.test('garbled text is reported as mojibake, not as a wrong page', async (t) => {
  const garbled = (snapshot: Parameters<Change>[0]) => {
    const text = 'أشجار التين '.repeat(60)
    snapshot.document.text = Buffer.from(text).toString('latin1')
    lose(snapshot, ...snapshot.blocks.keys())
    Object.assign(snapshot, { article: null })
  }
  t.same(codesOf(garbled), ['MOJIBAKE'])
})
