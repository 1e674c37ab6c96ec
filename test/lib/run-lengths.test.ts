import t from 'tap'
import { createRunLengths } from '../../lib/run-lengths.ts'

t.test('runs are short while they take less than half of the longest one of all', async (t) => {
  let nowMs = 0
  const lengths = createRunLengths(() => nowMs)
  t.equal(lengths.areShort('a'), false, 'nothing is known')
  lengths.add('a', 10)
  t.equal(lengths.areShort('a'), false)
  lengths.add('b', 100)
  t.equal(lengths.areShort('a'), true)
  t.equal(lengths.areShort('b'), false)
  t.equal(lengths.areShort('c'), false)
  lengths.add('a', 60)
  t.equal(lengths.areShort('a'), false)
  lengths.add('a', 1)
  t.equal(lengths.areShort('a'), true, 'a fifth of it is forgotten after each run: 48')
  nowMs += 60_000
  t.equal(lengths.areShort('a'), false, 'half of the longest one after a minute')
})
