import t from 'tap'
import { createCommandSizes } from '../../../../ports/store/mongodb/command-sizes.ts'

/** Sends items to a server that takes `perItemMs` for each, and returns the sizes of the commands. */
function createServer() {
  let nowMs = 0
  const sizes = createCommandSizes(() => nowMs)
  return async (count: number, perItemMs: number): Promise<number[]> => {
    const sent: number[][] = []
    const items = Array.from({ length: count }, (_, n) => n)
    await sizes.inParts(items, async (part) => {
      nowMs += part.length * perItemMs
      sent.push(part)
    })
    t.strictSame(sent.flat(), items, 'each item is sent once, in order')
    return sent.map(({ length }) => length)
  }
}

t.test('commands become larger on a fast server, and small on a slow one', async (t) => {
  const send = createServer()
  t.strictSame(await send(1_000, 0.001), [100, 200, 400, 300])
  t.strictSame(await send(3_000, 0.001), [800, 1_000, 1_000, 200])
  t.strictSame(await send(2_000, 1), [1_000, 500, 250, 125, 63, 50, 12])
  t.strictSame(await send(200, 0.5), [50, 50, 50, 50], 'they neither grow nor shrink')
})

t.test('a slow command with few items does not make others larger', async (t) => {
  const send = createServer()
  t.strictSame(await send(10, 10), [10])
  t.strictSame(await send(100, 0.5), [50, 50])
  t.strictSame(await send(1, 0), [1])
  t.strictSame(await send(100, 0.5), [50, 50])
  t.strictSame(await send(0, 1), [])
})

t.test('parts after an error are not sent', async (t) => {
  const sizes = createCommandSizes()
  let sent = 0
  const send = async () => {
    sent += 1
    throw new Error('broken')
  }
  await t.rejects(sizes.inParts(new Array<number>(500).fill(0), send), { message: 'broken' })
  t.equal(sent, 1)
})
