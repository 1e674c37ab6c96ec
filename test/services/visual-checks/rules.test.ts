import t from 'tap'
import { FINDING_CODES, type FindingCode } from '../../../services/visual-checks/rules/codes.ts'
import { RULES } from '../../../services/visual-checks/rules/index.ts'
import { evaluate } from '../../../services/visual-checks/evaluate.ts'
import type { Case, Change } from '../../fixtures/visual-check/snapshot-cases/case.ts'
import { content } from '../../fixtures/visual-check/snapshot-cases/content.ts'
import { head } from '../../fixtures/visual-check/snapshot-cases/head.ts'
import { layout } from '../../fixtures/visual-check/snapshot-cases/layout.ts'
import { reading } from '../../fixtures/visual-check/snapshot-cases/reading.ts'
import { runtime } from '../../fixtures/visual-check/snapshot-cases/runtime.ts'
import { expected, snapshotsWith } from '../../fixtures/visual-check/snapshots.ts'

const CASES: Record<FindingCode, Case> = { ...content, ...layout, ...reading, ...head, ...runtime }

function judged(change: Change) {
  const ours = expected()
  return evaluate({
    snapshots: snapshotsWith((facts) => {
      change(facts, ours)
    }),
    expected: ours,
    missingFonts: []
  })
}

t.test('nothing is found in a good page, and it gets 100', async (t) => {
  const judgment = judged(() => {})
  t.same(judgment.findings, [])
  t.equal(judgment.overallScore, 100)
  t.same(judgment.coverage, { inDom: 1, visible: 1, cssHeld: 1 })
})

t.test('every kind of defect has a case, and says what it is and what to do', async (t) => {
  t.same(Object.keys(CASES).sort(), [...FINDING_CODES].sort())
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
  t.test(`${code}: ${defect} is told, and nothing else; ${harmless} is not`, async (t) => {
    const bad = judged(applyDefect)
    t.same(
      bad.findings
        .filter((finding) => finding.severity !== 'info' || finding.code === code)
        .map((finding) => finding.code),
      [code]
    )
    const { severity, extent, count } = bad.findings.find((finding) => finding.code === code)!
    t.ok(extent > 0 && extent <= 1 && count >= 1)
    if (severity !== 'info') t.ok(bad.overallScore < 100, `${bad.overallScore}`)
    const good = judged(applyHarmless)
    t.same(
      good.findings.filter((finding) => finding.severity !== 'info').map((finding) => finding.code),
      []
    )
    t.equal(good.overallScore, 100)
  })
}
