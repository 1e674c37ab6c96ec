import t from 'tap'
import { createRecentUse } from '../../lib/recent-use.ts'

t.test('half of what an owner used is forgotten after each half-life', async (t) => {
  let nowMs = 1_000
  const use = createRecentUse(100, () => nowMs)
  t.equal(use.of('a'), 0)
  use.add('a', 80)
  use.add('a', 20)
  t.equal(use.of('a'), 100)
  nowMs += 100
  t.equal(use.of('a'), 50)
  use.add('a', 10)
  nowMs += 200
  t.equal(use.of('a'), 15)
  t.equal(use.of('b'), 0)
})

t.test('an owner is light while it used little, or clearly less than another one', async (t) => {
  let nowMs = 1_000
  const use = createRecentUse(1_000, () => nowMs)
  t.equal(use.isLight('a'), true)
  use.add('a', 499)
  t.equal(use.isLight('a'), true)
  use.add('a', 101)
  t.equal(use.isLight('a'), false)
  use.add('b', 1_200)
  t.equal(use.isLight('a'), false, 'half as much')
  use.add('b', 1)
  t.equal(use.isLight('a'), true)
  t.equal(use.isLight('b'), false)
  nowMs += 1_000
  use.add('a', 300)
  t.equal(use.isLight('a'), false)
  nowMs += 10_000
  t.equal(use.isLight('b'), true)
})
