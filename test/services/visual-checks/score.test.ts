import t from 'tap'
import { FINDING_CATEGORIES, SEVERITIES } from '../../../schemas/visual-check.ts'
import { roundToQuarters, computeScore, WEIGHTS, type ScoredFinding } from '../../../services/visual-checks/score.ts'

const finding = (
  category: ScoredFinding['category'],
  severity: ScoredFinding['severity'],
  extent = 1
): ScoredFinding => ({
  category,
  severity,
  extent,
  scored: true
})
const ALL = FINDING_CATEGORIES.flatMap((category) =>
  SEVERITIES.flatMap((severity) => [0.1, 0.5, 1].map((extent) => finding(category, severity, extent)))
)

t.test('the weights of the categories add up to 100', async (t) => {
  t.equal(
    Object.values(WEIGHTS).reduce((sum, weight) => sum + weight, 0),
    100
  )
})

t.test('the most severe finding limits the overall score', async (t) => {
  for (const [severity, extent, most] of [
    ['critical', 1, 25],
    ['critical', 0.25, 45],
    ['high', 0.1, 70],
    ['medium', 0.1, 89],
    ['low', 1, 97],
    ['info', 1, 100]
  ] as const) {
    t.equal(computeScore([finding('runtime', severity, extent)]).overallScore, most, severity)
  }
})

t.test('findings lower their category by severity and extent', async (t) => {
  t.equal(computeScore([finding('content', 'critical')]).categories.content, 0)
  t.equal(computeScore([finding('layout', 'high', 1), finding('layout', 'medium', 1)]).categories.layout, 35)
  t.equal(computeScore([finding('media', 'medium', 0.01)]).categories.media, 88, 'a small extent counts as 40 %')
})

t.test('unscored findings do not change the score', async (t) => {
  t.equal(computeScore(ALL.map((one) => ({ ...one, scored: false }))).overallScore, 100)
})

t.test('a finding never raises the score, which is 0 to 100 and independent of the order', async (t) => {
  let seed = 7
  const random = () => {
    seed = (seed * 16807) % 2147483647
    return seed / 2147483647
  }
  for (let round = 0; round < 500; round++) {
    const some = ALL.filter(() => random() < 0.06)
    const { overallScore, categories } = computeScore(some)
    t.ok(
      overallScore >= 0 && overallScore <= 100 && Object.values(categories).every((score) => score >= 0 && score <= 100)
    )
    t.same(
      computeScore(
        some
          .map((one) => ({ one, at: random() }))
          .sort((a, b) => a.at - b.at)
          .map(({ one }) => one)
      ),
      { overallScore, categories }
    )
    t.ok(computeScore([...some, ALL[Math.floor(random() * ALL.length)]!]).overallScore <= overallScore)
  }
})

t.test('shares are rounded to quarters, small ones up to one quarter', async (t) => {
  t.same([0, 0.001, 0.3, 0.374, 0.376, 0.9, 3].map(roundToQuarters), [0, 0.25, 0.25, 0.25, 0.5, 1, 1])
})
