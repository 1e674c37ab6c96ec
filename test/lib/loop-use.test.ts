import t from 'tap'
import { createLoopUse } from '../../lib/loop-use.ts'

/** A meter whose event loop is busy for `share` of the time that passes. */
function createMeter() {
  const clock = { nowMs: 0, activeMs: 0 }
  const use = createLoopUse({ nowMs: () => clock.nowMs, activeMs: () => clock.activeMs })
  return {
    ...use,
    pass(ms: number, share = 1) {
      clock.nowMs += ms
      clock.activeMs += share * ms
    }
  }
}

t.test('an owner is light until it used more than a little', async (t) => {
  const { begin, isLight, pass } = createMeter()
  t.equal(isLight('a'), true, 'unknown')
  const end = begin('a')
  pass(49)
  t.equal(isLight('a'), true)
  pass(2)
  t.equal(isLight('a'), false)
  end()
  pass(40)
  t.equal(isLight('a'), false, 'what it used is not forgotten at once')
  pass(2_000)
  t.equal(isLight('a'), true, 'but after some time')
  const endNext = begin('a')
  pass(60)
  endNext()
  t.equal(isLight('a'), false)
})

t.test('time in which the event loop is idle does not count', async (t) => {
  const { begin, isLight, pass } = createMeter()
  begin('a')
  pass(490, 0.1)
  t.equal(isLight('a'), true)
  pass(9, 1)
  t.equal(isLight('a'), false)
})

t.test('the time is divided between all works in progress', async (t) => {
  const { begin, isLight, pass } = createMeter()
  for (let work = 0; work < 3; work++) begin('many')
  const end = begin('one')
  pass(180)
  t.equal(isLight('one'), true, '45 of 180 ms')
  pass(40)
  t.equal(isLight('one'), true, '55 of 220 ms are less than three quarters of 165')
  t.equal(isLight('many'), false)
  end()
  end()
  for (let work = 0; work < 6; work++) begin('one')
  pass(90)
  t.equal(isLight('one'), true, '115 ms, and the other one 195')
  pass(90)
  t.equal(isLight('one'), false, '175 ms, and the other one 225')
})

t.test('an owner without work is light, but not lighter than others', async (t) => {
  const { begin, isLight, isLighter, pass } = createMeter()
  begin('a')
  pass(100)
  t.same([isLight('b'), isLighter('b')], [true, false])
  begin('b')
  t.same([isLight('b'), isLighter('b')], [true, true])
  t.same([isLight('a'), isLighter('a')], [false, false])
})

t.test('owners that use the same are not light, and one is again when another one uses more', async (t) => {
  const { begin, isLight, pass } = createMeter()
  begin('a')
  const end = begin('b')
  pass(400)
  t.equal(isLight('a'), false)
  t.equal(isLight('b'), false)
  end()
  pass(50)
  t.equal(isLight('b'), false, '200 ms, and the other one 250')
  pass(40)
  t.equal(isLight('b'), true, '200 ms, and the other one 290')
  for (let step = 0; step < 20; step++) {
    pass(500)
    t.equal(isLight('b'), true)
    t.equal(isLight('a'), false)
  }
})

t.test('measured work counts for its owner only, and the rest for works in progress', async (t) => {
  const { begin, isLight, isLighter, measure, measuredMs, pass } = createMeter()
  begin('rows')
  for (let work = 0; work < 8; work++) begin('many')
  measure('rows', () => {
    pass(180)
    measure('many', () => pass(20))
  })
  t.equal(measuredMs(), 200, 'nested work once')
  pass(90)
  t.equal(isLight('rows'), false, '210 ms')
  t.equal(isLighter('many'), true, '80 of 290 ms, although it has most works')
})

t.test('measured work without an owner counts for nobody', async (t) => {
  const { begin, isLight, measure, add, pass } = createMeter()
  begin('a')
  begin('b')
  measure('', () => pass(400))
  t.same([isLight('a'), isLight('b')], [true, true])
  add('b', 60)
  t.same([isLight('a'), isLight('b')], [true, false])
})

t.test('measured work may be read while it is in progress, and its errors are not swallowed', async (t) => {
  const { begin, isLight, measure, pass } = createMeter()
  begin('a')
  t.throws(
    () =>
      measure('b', () => {
        pass(40)
        throw new RangeError('wrong')
      }),
    new RangeError('wrong')
  )
  pass(20)
  t.equal(isLight('a'), true, '20 ms')
  t.equal(isLight('b'), true)
  measure('b', () => pass(20))
  t.equal(isLight('b'), false, '60 ms')
  pass(5_000, 0)
  measure('c', () => pass(60))
  t.equal(isLight('c'), false, 'also after some time in which nothing was measured')
})
