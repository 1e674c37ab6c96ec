import t from 'tap'
import { evaluate } from '../../../services/visual-checks/evaluate.ts'
import { confirm, needsConfirmation } from '../../../services/visual-checks/confirm.ts'
import { diffWithPrevious } from '../../../services/visual-checks/diff.ts'
import type { Change } from '../../fixtures/visual-check/snapshot-cases/case.ts'
import { expected, snapshotsWith, replaceAll, setVisibility, TITLE } from '../../fixtures/visual-check/snapshots.ts'

const seen = (change: Change) => {
  const ours = expected()
  return evaluate({
    snapshots: snapshotsWith((snapshot) => {
      change(snapshot, ours)
    }),
    expected: ours,
    missingFonts: []
  })
}
const good = seen(() => {})
const german: Change = (snapshot) => {
  snapshot.document.lang = 'de'
}
const hidden = seen((snapshot, ours) => {
  setVisibility(snapshot, { rendered: false })
  german(snapshot, ours)
})
const empty = seen((snapshot, ours) => {
  replaceAll(snapshot, TITLE, TITLE)
  german(snapshot, ours)
})

t.test('only critical findings need a second inspection', async (t) => {
  t.ok(needsConfirmation(hidden))
  t.notOk(needsConfirmation(good))
  t.notOk(needsConfirmation(seen(german)))
})

t.test('a critical finding of both inspections is certain and scored', async (t) => {
  t.same(confirm(hidden, hidden), hidden)
  t.equal(confirm(hidden, hidden).overallScore, 24)
})

t.test('a critical finding of one inspection is flaky and not scored', async (t) => {
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

t.test('if only the second inspection has the text, its other findings count', async (t) => {
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

t.test('the diff has the codes that appeared and those that are gone', async (t) => {
  const before = { id: 'check-1', overallScore: hidden.overallScore, findings: hidden.findings }
  t.same(
    diffWithPrevious(
      before,
      seen((snapshot, ours) => {
        german(snapshot, ours)
        snapshot.runtime.dialogs = ['Hi']
      }).findings
    ),
    { checkId: 'check-1', overallScore: 24, appeared: ['DIALOG_SHOWN'], gone: ['TEXT_HIDDEN'] }
  )
  t.equal(diffWithPrevious(null, hidden.findings), null)
})

t.test('flaky and info findings are not in the diff', async (t) => {
  const before = { id: 'check-1', overallScore: 100, findings: [] }
  const now = confirm(
    hidden,
    seen((snapshot) => {
      snapshot.document.canonicals = []
    })
  )
  t.same(diffWithPrevious(before, now.findings)?.appeared, ['LANG_MISMATCH'])
  t.same(
    diffWithPrevious(
      before,
      seen((snapshot) => {
        snapshot.document.canonicals = []
      }).findings
    )?.appeared,
    []
  )
})
