import t from 'tap'
import { createThreadShares, SHORT_TASK_MS } from '../../lib/thread-shares.ts'

t.test('an account is entitled to its share', async (t) => {
  const shares = createThreadShares(1)
  t.ok(shares.isBelowShare('a'))
  shares.count('a', 1)
  t.notOk(shares.isBelowShare('a'))
  t.notOk(shares.isAboveShare('a'))
  shares.count('a', 1)
  t.ok(shares.isAboveShare('a'))
  t.ok(shares.isBelowShare('b'), 'which the threads of others do not reduce')
  shares.count('a', -1)
  shares.count('a', -1)
  t.ok(shares.isBelowShare('a'))
})

t.test('an account borrows threads while its tasks are short', async (t) => {
  let nowMs = 0
  const shares = createThreadShares(1, () => nowMs)
  t.notOk(shares.mayBorrow('a'), 'not before its first task')
  shares.noteTask('a', SHORT_TASK_MS)
  t.ok(shares.mayBorrow('a'))
  t.notOk(shares.mayBorrow('b'))
  shares.noteTask('a', SHORT_TASK_MS + 1)
  shares.noteTask('a', 1)
  t.notOk(shares.mayBorrow('a'), 'a short task does not excuse a long one')
  nowMs = 2_000
  t.notOk(shares.mayBorrow('a'), 'nor does time: its next task may be long as well')
  shares.noteTask('a', 1)
  t.ok(shares.mayBorrow('a'))
})

t.test('an account whose task was ended with its thread borrows none for a minute', async (t) => {
  let nowMs = 0
  const shares = createThreadShares(1, () => nowMs)
  shares.noteTask('a', Infinity)
  shares.noteTask('a', SHORT_TASK_MS + 1)
  nowMs = 59_999
  shares.noteTask('a', 1)
  t.notOk(shares.mayBorrow('a'))
  nowMs = 60_000
  shares.noteTask('a', 1)
  t.ok(shares.mayBorrow('a'))
})

t.test('an account is slow for a moment after a task that was not short', async (t) => {
  let nowMs = 0
  const shares = createThreadShares(1, () => nowMs)
  t.notOk(shares.isSlow('a'), 'not before it has run one')
  shares.noteTask('a', SHORT_TASK_MS + 1)
  shares.noteTask('b', Infinity)
  shares.noteTask('a', 1)
  t.ok(shares.isSlow('a'))
  t.notOk(shares.isSlow('c'))
  nowMs = 2_000
  t.notOk(shares.isSlow('a'))
  t.ok(shares.isSlow('b'))
  nowMs = 60_000
  t.notOk(shares.isSlow('b'))
})
