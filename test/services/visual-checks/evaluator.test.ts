import t from 'tap'
import { evaluate } from '../../../services/visual-checks/evaluate.ts'
import { evaluateInThread } from '../../../services/visual-checks/evaluator.ts'
import { expected, setVisibility, snapshotsWith } from '../../fixtures/visual-check/snapshots.ts'

t.test('a page is evaluated in a thread with the same result', async (t) => {
  const snapshots = snapshotsWith((snapshot) => setVisibility(snapshot, { contrast: 1.7 }))
  const input = { snapshots, expected: expected(), missingFonts: ['Arabic'] }
  const evaluation = await evaluateInThread('acme', input)
  t.same(evaluation, evaluate(input))
  t.ok(evaluation.overallScore < 100)
})

t.test('the event loop stays free during an evaluation', async (t) => {
  const snapshots = snapshotsWith((snapshot) => {
    const [first] = snapshot.blocks
    snapshot.blocks = Array.from({ length: 3000 }, (_, index) => ({
      ...first!,
      index,
      text: `${'word '.repeat(60)}${index}`
    }))
  })
  let turns = 0
  const timer = setInterval(() => turns++, 1)
  const evaluation = await evaluateInThread('acme', { snapshots, expected: expected(), missingFonts: [] })
  clearInterval(timer)
  t.ok(evaluation.overallScore >= 0)
  t.ok(turns > 10, `${turns} turns of the event loop`)
})
