import t from 'tap'
import {
  FINDING_CODES,
  UNOPENED_PAGE_CODES,
  type FindingCode,
  type UnopenedPageCode
} from '../../../services/visual-checks/rules/codes.ts'
import { RULES } from '../../../services/visual-checks/rules/index.ts'
import { evaluate } from '../../../services/visual-checks/evaluate.ts'
import type { RoleSnapshot } from '../../../ports/browser/port/page-snapshot.ts'
import type { Case, Change } from '../../fixtures/visual-check/snapshot-cases/case.ts'
import { content } from '../../fixtures/visual-check/snapshot-cases/content.ts'
import { head } from '../../fixtures/visual-check/snapshot-cases/head.ts'
import { layout } from '../../fixtures/visual-check/snapshot-cases/layout.ts'
import { reading } from '../../fixtures/visual-check/snapshot-cases/reading.ts'
import { roles } from '../../fixtures/visual-check/snapshot-cases/roles.ts'
import { runtime } from '../../fixtures/visual-check/snapshot-cases/runtime.ts'
import { expected, snapshotsWith } from '../../fixtures/visual-check/snapshots.ts'

/** Pages that cannot be opened have no snapshot: `evaluateUnopened` reports them. */
const CASES: Record<Exclude<FindingCode, UnopenedPageCode>, Case> = {
  ...content,
  ...layout,
  ...reading,
  ...head,
  ...roles,
  ...runtime
}

function check(change: Change) {
  const ours = expected()
  return evaluate({
    snapshots: snapshotsWith((snapshot) => {
      change(snapshot, ours)
    }),
    expected: ours,
    missingFonts: []
  })
}

t.test('a good page has no findings and a score of 100', async (t) => {
  const evaluation = check(() => {})
  t.same(evaluation.findings, [])
  t.equal(evaluation.overallScore, 100)
  t.same(evaluation.coverage, { inDom: 1, visible: 1, cssHeld: 1, compared: 1, measured: 1 })
})

t.test('every rule has a case, a message and advice', async (t) => {
  t.same([...Object.keys(CASES), ...UNOPENED_PAGE_CODES].sort(), [...FINDING_CODES].sort())
  t.same(
    RULES.map(({ code }) => code),
    FINDING_CODES
  )
  for (const { code, message, advice, version } of RULES) {
    t.match(message, /^[A-Z].*\.$/s, code)
    t.match(advice, /^[A-Z].*\.$/s, code)
    t.ok(version >= 1)
  }
})

for (const [code, { defect, applyDefect, harmless, applyHarmless }] of Object.entries(CASES)) {
  t.test(`${code} is the only finding of ${defect}; ${harmless} has none`, async (t) => {
    const bad = check(applyDefect)
    t.same(
      bad.findings
        .filter((finding) => finding.severity !== 'info' || finding.code === code)
        .map((finding) => finding.code),
      [code]
    )
    const { severity, extent, count } = bad.findings.find((finding) => finding.code === code)!
    t.ok(extent > 0 && extent <= 1 && count >= 1)
    if (severity !== 'info') t.ok(bad.overallScore < 100, `${bad.overallScore}`)
    const good = check(applyHarmless)
    t.same(
      good.findings.filter((finding) => finding.severity !== 'info').map((finding) => finding.code),
      []
    )
    t.equal(good.overallScore, 100)
  })
}

t.test('a page may have the meta title of the blog as its title', async (t) => {
  const codesWith = (metaTitle: string | undefined) =>
    check((snapshot, ours) => {
      snapshot.document.titles = ['Balcony herbs for beginners | Site']
      if (metaTitle !== undefined) ours.metaTitle = metaTitle
    }).findings.map(({ code }) => code)
  t.ok(codesWith(undefined).includes('TITLE_MISMATCH'))
  t.same(codesWith('Balcony herbs for beginners'), [])
})

t.test('each level of headings and each element of emphasis counts on its own', async (t) => {
  const lostOf = (roles: Pick<RoleSnapshot, 'role' | 'held' | 'block' | 'element'>[]) =>
    check((snapshot) => {
      Object.assign(snapshot.blocks[7]!, { tag: 'h3', actualTag: 'h3' })
      snapshot.roles = roles.map((role) => ({ selector: 'p', box: null, ...role }))
    }).findings.map(({ code, evidence }) => [code, evidence.lost])
  const heading = (block: number, held: boolean) => ({ role: 'heading' as const, block, held })
  t.same(lostOf([heading(1, true), heading(6, true), heading(7, false)]), [['HEADING_STYLE_LOST', 1]])
  const words = (element: string, held: boolean) => ({ role: 'emphasis' as const, block: 0, element, held })
  t.same(lostOf([words('strong', true), words('strong', true), words('sup', false)]), [['EMPHASIS_LOST', 1]])
  t.same(lostOf([words('em', true), words('em', true), words('em', false)]), [])
})
