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

t.test('each further finding costs more, in order of severity', async (t) => {
  const scores = (severity: ScoredFinding['severity']) =>
    [1, 2, 3, 4].map(
      (count) =>
        computeScore(FINDING_CATEGORIES.slice(0, count).map((name) => finding(name, severity, 0.1))).overallScore
    )
  t.same(scores('medium'), [89, 85, 80, 76])
  t.same(scores('high'), [70, 60, 51, 43])
  t.same(scores('critical'), [45, 36, 29, 23])
  t.same(scores('low'), [97, 97, 96, 96], 'many small remarks do not make a page bad')
  t.same(scores('info'), [100, 100, 100, 100])
})

t.test('a page that nobody can read scores 0 in every category, whatever else is found', async (t) => {
  const fatal: ScoredFinding = { ...finding('content', 'critical'), fatal: true }
  for (const others of [[], ALL]) {
    const { overallScore, categories } = computeScore([...others, fatal])
    t.equal(overallScore, 0)
    t.same(new Set(Object.values(categories)), new Set([0]))
  }
  t.ok(computeScore([{ ...fatal, scored: false }]).overallScore === 100)
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
    const more = computeScore([...some, ALL[Math.floor(random() * ALL.length)]!])
    t.ok(more.overallScore <= overallScore)
    t.ok(FINDING_CATEGORIES.every((name) => more.categories[name] <= categories[name]))
  }
})

t.test('shares are rounded to quarters, small ones up to one quarter', async (t) => {
  t.same([0, 0.001, 0.3, 0.374, 0.376, 0.9, 3].map(roundToQuarters), [0, 0.25, 0.25, 0.25, 0.5, 1, 1])
})
