import t from 'tap'
import { evaluate } from '../../../services/visual-checks/evaluate.ts'
import { confirm, needsConfirmation } from '../../../services/visual-checks/confirm.ts'
import { diffWithPrevious } from '../../../services/visual-checks/diff.ts'
import type { Change } from '../../fixtures/visual-check/snapshot-cases/case.ts'
import { expected, snapshotsWith, replaceAll, setVisibility, TITLE } from '../../fixtures/visual-check/snapshots.ts'

const seen = (change: Change) => {
  const ours = expected()
  return evaluate({
    snapshots: snapshotsWith((facts) => {
      change(facts, ours)
    }),
    expected: ours,
    missingFonts: []
  })
}
const good = seen(() => {})
const german: Change = (facts) => {
  facts.document.lang = 'de'
}
const hidden = seen((facts, ours) => {
  setVisibility(facts, { rendered: false })
  german(facts, ours)
})
const empty = seen((facts, ours) => {
  replaceAll(facts, TITLE, TITLE)
  german(facts, ours)
})

t.test('only what is critical is looked at again', async (t) => {
  t.ok(needsConfirmation(hidden))
  t.notOk(needsConfirmation(good))
  t.notOk(needsConfirmation(seen(german)))
})

t.test('what is critical and seen twice stays and is scored', async (t) => {
  t.same(confirm(hidden, hidden), hidden)
  t.equal(confirm(hidden, hidden).overallScore, 25)
})

t.test('what is critical and seen once of two times is shown as flaky and costs nothing', async (t) => {
  const first = confirm(hidden, seen(german))
  t.match(first.findings, [
    { code: 'TEXT_HIDDEN', confidence: 'flaky' },
    { code: 'LANG_MISMATCH', confidence: 'certain' }
  ])
  t.equal(first.overallScore, 89)
  t.match(confirm(seen(german), hidden).findings, [
    { code: 'TEXT_HIDDEN', confidence: 'flaky' },
    { code: 'LANG_MISMATCH' }
  ])
})

t.test('where the text came only at the second look, the rest is judged by that', async (t) => {
  t.same(
    empty.findings.map(({ code }) => code),
    ['CONTENT_MISSING']
  )
  t.match(confirm(empty, seen(german)), {
    overallScore: 89,
    coverage: { inDom: 1 },
    findings: [{ code: 'CONTENT_MISSING', confidence: 'flaky' }, { code: 'LANG_MISMATCH' }]
  })
})

t.test('a check tells what is new and what is gone since the one before', async (t) => {
  const before = { id: 'check-1', overallScore: hidden.overallScore, findings: hidden.findings }
  t.same(
    diffWithPrevious(
      before,
      seen((facts, ours) => {
        german(facts, ours)
        facts.runtime.dialogs = ['Hi']
      }).findings
    ),
    { checkId: 'check-1', overallScore: 25, appeared: ['DIALOG_SHOWN'], gone: ['TEXT_HIDDEN'] }
  )
  t.equal(diffWithPrevious(null, hidden.findings), null)
})

t.test('what was seen once of two times, and what costs nothing, is no change', async (t) => {
  const before = { id: 'check-1', overallScore: 100, findings: [] }
  const now = confirm(
    hidden,
    seen((facts) => {
      facts.document.canonicals = []
    })
  )
  t.same(diffWithPrevious(before, now.findings)?.appeared, ['LANG_MISMATCH'])
  t.same(
    diffWithPrevious(
      before,
      seen((facts) => {
        facts.document.canonicals = []
      }).findings
    )?.appeared,
    []
  )
})
