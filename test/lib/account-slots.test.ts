import t from 'tap'
import { createAccountSlots, createSharing, type AccountSlot } from '../../lib/account-slots.ts'

/** Enters slots and records which may start. */
function createRecorder(limits: { running: number; waiting: number }) {
  const enter = createAccountSlots(limits)
  const started: string[] = []
  return {
    started,
    enter(account: string, name: string, weight?: number): AccountSlot | null {
      const slot = enter(account, weight)
      slot?.ready.then(
        (isReady) => started.push(isReady ? name : `not ${name}`),
        () => {}
      )
      return slot
    }
  }
}

t.test('each account has so many operations in progress, and the others wait in order', async (t) => {
  const { started, enter } = createRecorder({ running: 2, waiting: 2 })
  const [first, second] = [enter('a', '1')!, enter('a', '2')!]
  enter('a', '3')
  const fourth = enter('a', '4')!
  t.equal(enter('a', '5'), null, 'too many wait')
  enter('b', 'b')
  await Promise.resolve()
  t.same(started, ['1', '2', 'b'], 'accounts do not wait for each other')
  second.release()
  second.release()
  await Promise.resolve()
  t.same(started.slice(3), ['3'], 'a slot is released once')
  fourth.release()
  first.release()
  enter('a', '6')
  enter('a', '7')
  await Promise.resolve()
  t.same(started.slice(4), ['not 4', '6'], 'an operation that is not wanted any more is passed over')
})

t.test('heavy operations take several places, and are not overtaken', async (t) => {
  const { started, enter } = createRecorder({ running: 4, waiting: 3 })
  const first = enter('a', '1', 3)!
  enter('a', '9 of 4', 9)
  enter('a', '3', 1)
  await Promise.resolve()
  t.same(started, ['1'], 'the second needs all places')
  first.release()
  await Promise.resolve()
  t.same(started, ['1', '9 of 4'])
})

t.test('an account shares the process while others had operations in the last time', async (t) => {
  let nowMs = 0
  const isShared = createSharing(1_000, () => nowMs)
  const at = (ms: number, accountId: string): boolean => {
    nowMs = ms
    return isShared(accountId)
  }
  t.equal(at(0, 'a'), false)
  t.equal(at(10, 'a'), false)
  t.equal(at(20, 'b'), true, 'another one was 10 ms ago')
  t.equal(at(1_010, 'b'), true)
  t.equal(at(1_011, 'b'), false, 'its own operations do not count')
  t.equal(at(2_000, 'a'), true)
  t.equal(at(2_011, 'a'), true)
  t.equal(at(2_012, 'a'), false)
})
