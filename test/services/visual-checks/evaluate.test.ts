import { Ajv } from 'ajv'
import t from 'tap'
import { VisualFinding } from '../../../schemas/visual-check.ts'
import { FINDING_CODES } from '../../../services/visual-checks/rules/codes.ts'
import { evaluate } from '../../../services/visual-checks/evaluate.ts'
import {
  expected,
  snapshotsWith,
  goodSnapshot,
  lose,
  setType,
  setVisibility
} from '../../fixtures/visual-check/snapshots.ts'

const judged = (facts: ReturnType<typeof snapshotsWith>, missingFonts: string[] = []) =>
  evaluate({ snapshots: facts, expected: expected(), missingFonts })
const one = (judgment: ReturnType<typeof judged>, code: string) =>
  judgment.findings.find((finding) => finding.code === code)

t.test('what is found in both viewports is one finding, as grave as in the worse of them', async (t) => {
  const facts = snapshotsWith((facts) => {
    setVisibility(facts, { contrast: facts.viewport === 'mobile' ? 4.2 : 1.7 })
  })
  const { findings } = judged(facts)
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

t.test('what is found on telephones alone says so', async (t) => {
  t.same(
    one(
      judged(
        snapshotsWith((facts) => {
          if (facts.viewport === 'mobile') setVisibility(facts, { rendered: false }, [0, 2, 3])
        })
      ),
      'TEXT_HIDDEN'
    )?.viewports,
    ['mobile']
  )
})

t.test('the same facts are judged the same in whatever order the viewports come', async (t) => {
  const facts = snapshotsWith((facts) => {
    lose(facts, facts.viewport === 'mobile' ? 3 : 2)
    setType(facts, { fontPx: 9 }, [0, 1])
    setType(facts, { letterSpacingEm: -0.1 }, [4, 5, 7])
    facts.document.lang = 'de'
  })
  t.same(judged(facts), judged([...facts].reverse()))
})

t.test('each finding is as the API promises, names places of the page, and never more than 40 in all', async (t) => {
  const facts = snapshotsWith((facts) => {
    facts.blocks = Array.from({ length: 40 }, (_, index) => ({
      ...structuredClone(facts.blocks[index % 8]!),
      index,
      order: index
    }))
    setVisibility(facts, { contrast: 2 })
    setType(facts, { fontPx: 8, lineHeightRatio: 0.9 })
    facts.document.titles = []
  })
  const { findings, rules } = judged(facts)
  const isValid = new Ajv({ strict: false }).compile(VisualFinding)
  for (const finding of findings) t.ok(isValid(finding), `${finding.code} ${JSON.stringify(isValid.errors)}`)
  t.equal(findings.flatMap(({ locations }) => locations).length, 40)
  t.ok(
    findings.filter(({ count }) => count === 40).every(({ locations }) => locations.length >= 10),
    'each has its share of them'
  )
  t.same(Object.keys(rules), FINDING_CODES)
})

t.test('coverage tells the worse of the viewports', async (t) => {
  const { coverage } = judged(
    snapshotsWith((facts) => {
      if (facts.viewport === 'mobile') {
        lose(facts, 7)
        setVisibility(facts, { opacity: 0 }, [0])
        facts.css.applied = 30
      }
    })
  )
  t.ok(coverage.inDom > 0.7 && coverage.inDom < 0.9)
  t.ok(coverage.visible < coverage.inDom)
  t.equal(coverage.cssHeld, 0.75)
})

t.test(
  'how long lines are in letters that no font of the machine can draw is for a person to ' +
    'judge, and costs nothing; all else is so with any font',
  async (t) => {
    const facts = snapshotsWith((facts) => {
      for (const block of facts.blocks) {
        block.text = block.actual = `${'هذه فقرة من النص العربي. '.repeat(8)}${block.index}`
      }
      setType(facts, { lineCapacity: 150, charactersPerLine: 140, direction: 'rtl' })
    })
    t.match(one(judged(facts, ['Arabic', 'Hebrew']), 'LINE_TOO_LONG'), { confidence: 'review' })
    t.match(one(judged(facts, ['Thai']), 'LINE_TOO_LONG'), { confidence: 'certain' })
    t.equal(judged(facts, ['Arabic']).overallScore, 100)
    setVisibility(facts[0]!, { rendered: false })
    t.match(one(judged(facts, ['Arabic']), 'TEXT_HIDDEN'), { confidence: 'certain' })
  }
)

t.test('a single paragraph of a long blog that is hidden is told', async (t) => {
  const facts = snapshotsWith((facts) => {
    facts.blocks = Array.from({ length: 160 }, (_, index) => ({
      ...structuredClone(facts.blocks[index % 8]!),
      index,
      order: index,
      expectedCopies: 20,
      copies: 20
    }))
    setVisibility(facts, { rendered: false }, [83])
  })
  const judgment = judged(facts)
  t.match(judgment.findings, [{ code: 'TEXT_HIDDEN', extent: 0.25 }])
  t.equal(judgment.overallScore, 45)
})

t.test('one viewport can be judged by itself', async (t) => {
  t.equal(judged([goodSnapshot('mobile')]).overallScore, 100)
})
