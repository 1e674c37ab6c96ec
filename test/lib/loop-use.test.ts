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
