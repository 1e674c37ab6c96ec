import { Ajv } from 'ajv'
import t from 'tap'
import type { ViewportSnapshot } from '../../../ports/browser/port/page-snapshot.ts'
import { VisualFinding } from '../../../schemas/visual-check.ts'
import { FINDING_CODES } from '../../../services/visual-checks/rules/codes.ts'
import { evaluate, type Evaluation } from '../../../services/visual-checks/evaluate.ts'
import {
  expected,
  snapshotsWith,
  goodSnapshot,
  lose,
  setType,
  setVisibility
} from '../../fixtures/visual-check/snapshots.ts'

const check = (snapshots: ViewportSnapshot[], missingFonts: string[] = []) =>
  evaluate({ snapshots, expected: expected(), missingFonts })
const findFinding = ({ findings }: Evaluation, code: string): VisualFinding | undefined =>
  findings.find((finding) => finding.code === code)

t.test('hits in both viewports become one finding with the higher severity', async (t) => {
  const snapshots = snapshotsWith((snapshot) => {
    setVisibility(snapshot, { contrast: snapshot.viewport === 'mobile' ? 4.2 : 1.7 })
  })
  const { findings } = check(snapshots)
  t.match(findings, [
    {
      code: 'LOW_CONTRAST',
      severity: 'high',
      viewports: ['mobile', 'desktop'],
      extent: 1,
      confidence: 'certain',
      scope: 'article',
      evidence: { worst: 1.7 }
    }
  ])
  t.equal(findings.length, 1)
  t.same(new Set(findings[0]!.locations.map(({ viewport }) => viewport)), new Set(['mobile', 'desktop']))
})

t.test('a finding of the mobile viewport only lists that viewport', async (t) => {
  t.same(
    findFinding(
      check(
        snapshotsWith((snapshot) => {
          if (snapshot.viewport === 'mobile') setVisibility(snapshot, { rendered: false }, [0, 2, 3])
        })
      ),
      'TEXT_HIDDEN'
    )?.viewports,
    ['mobile']
  )
})

t.test('the order of the viewports does not matter', async (t) => {
  const snapshots = snapshotsWith((snapshot) => {
    lose(snapshot, snapshot.viewport === 'mobile' ? 3 : 2)
    setType(snapshot, { fontPx: 9 }, [0, 1])
    setType(snapshot, { letterSpacingEm: -0.1 }, [4, 5, 7])
    snapshot.document.lang = 'de'
  })
  t.same(check(snapshots), check([...snapshots].reverse()))
})

t.test('findings match the API schema and have at most 40 locations together', async (t) => {
  const snapshots = snapshotsWith((snapshot) => {
    snapshot.blocks = Array.from({ length: 40 }, (_, index) => ({
      ...structuredClone(snapshot.blocks[index % 8]!),
      index,
      order: index
    }))
    setVisibility(snapshot, { contrast: 2 })
    setType(snapshot, { fontPx: 8, lineHeightRatio: 0.9 })
    snapshot.document.titles = []
  })
  const { findings, rules } = check(snapshots)
  const isValid = new Ajv({ strict: false }).compile(VisualFinding)
  for (const finding of findings) t.ok(isValid(finding), `${finding.code} ${JSON.stringify(isValid.errors)}`)
  t.equal(findings.flatMap(({ locations }) => locations).length, 40)
  t.ok(
    findings.filter(({ count }) => count === 40).every(({ locations }) => locations.length >= 10),
    'every finding has some of them'
  )
  t.same(Object.keys(rules), FINDING_CODES)
})

t.test('coverage is that of the worst viewport', async (t) => {
  const { coverage } = check(
    snapshotsWith((snapshot) => {
      if (snapshot.viewport === 'mobile') {
        lose(snapshot, 7)
        setVisibility(snapshot, { opacity: 0 }, [0])
        setVisibility(snapshot, { unmeasured: true }, [1, 2])
        snapshot.css.applied = 30
      }
    })
  )
  t.ok(coverage.inDom > 0.7 && coverage.inDom < 0.9)
  t.ok(coverage.visible < coverage.inDom)
  t.equal(coverage.cssHeld, 0.75)
  t.ok(coverage.measured! > 0.5 && coverage.measured! < 1, `${coverage.measured}`)
})

t.test('line lengths in a script without a font need review; other findings are certain', async (t) => {
  const snapshots = snapshotsWith((snapshot) => {
    for (const block of snapshot.blocks) {
      block.text = block.actual = `${'هذه فقرة من النص العربي. '.repeat(8)}${block.index}`
    }
    setType(snapshot, { lineCapacity: 150, charactersPerLine: 140, direction: 'rtl' })
  })
  t.match(findFinding(check(snapshots, ['Arabic', 'Hebrew']), 'LINE_TOO_LONG'), { confidence: 'review' })
  t.match(findFinding(check(snapshots, ['Thai']), 'LINE_TOO_LONG'), { confidence: 'certain' })
  t.equal(check(snapshots, ['Arabic']).overallScore, 100)
  setVisibility(snapshots[0]!, { rendered: false })
  t.match(findFinding(check(snapshots, ['Arabic']), 'TEXT_HIDDEN'), { confidence: 'certain' })
})

t.test('a single hidden paragraph of a long blog is reported', async (t) => {
  const snapshots = snapshotsWith((snapshot) => {
    snapshot.blocks = Array.from({ length: 160 }, (_, index) => ({
      ...structuredClone(snapshot.blocks[index % 8]!),
      index,
      order: index,
      expectedCopies: 20,
      copies: 20
    }))
    setVisibility(snapshot, { rendered: false }, [83])
  })
  const evaluation = check(snapshots)
  t.match(evaluation.findings, [{ code: 'TEXT_HIDDEN', extent: 0.25 }])
  t.equal(evaluation.overallScore, 45)
})

t.test('a single viewport can be evaluated', async (t) => {
  t.equal(check([goodSnapshot('mobile')]).overallScore, 100)
})
