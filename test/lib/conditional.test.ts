import t from 'tap'
import { entityTag, entityTagInSlices } from '../../lib/http/conditional.ts'

t.test('the tag of a large body is the same, whether it is made in slices or not', async (t) => {
  for (const bytes of [0, 1, 262_144, 262_145, 524_288, 1_000_000]) {
    const body = Buffer.alloc(bytes, 'a body ')
    t.equal(await entityTagInSlices(body, 3), entityTag(body, 3), `${bytes} bytes`)
    t.equal(await entityTagInSlices(body, null), entityTag(body, null), `${bytes} bytes`)
  }
})

t.test('others are served while the tag of a large body is made', async (t) => {
  let turns = 0
  let isRunning = true
  const countTurns = (): void => {
    turns += 1
    if (isRunning) setImmediate(countTurns)
  }
  setImmediate(countTurns)
  await entityTagInSlices(Buffer.alloc(128_000_000), null)
  isRunning = false
  t.ok(turns >= 2, `${turns} turns of the event loop`)
})
