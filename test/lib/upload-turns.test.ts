import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { setImmediate } from 'node:timers/promises'
import { test } from 'tap'
import { createAccountSlots, type AccountSlot } from '../../lib/account-slots.ts'
import { readInTurns } from '../../lib/http/upload-turns.ts'

test('a limited number of uploads is worked on at a time, and all end', async (t) => {
  const enter = createAccountSlots({ running: 8, waiting: 100 })
  let working = 0
  let most = 0
  async function upload(): Promise<string> {
    let slot: AccountSlot = enter('acme', 2)!
    await slot.ready
    const body = readInTurns(Readable.from([Buffer.from('a'), Buffer.from('b'), Buffer.from('c')]), {
      end: () => slot.release(),
      async begin() {
        slot = enter('acme', 2)!
        await slot.ready
      }
    })
    let read = ''
    for await (const chunk of body as AsyncIterable<Buffer>) read += chunk.toString()
    working += 1
    most = Math.max(most, working)
    for (let turn = 0; turn < 3; turn++) await setImmediate()
    working -= 1
    slot.release()
    return read
  }
  t.strictSame(new Set(await Promise.all(Array.from({ length: 20 }, upload))), new Set(['abc']))
  t.equal(most, 4)
})

test('an upload has no turn while its client sends', async (t) => {
  const source = new Readable({ read() {} })
  const calls: string[] = []
  const body = readInTurns(source, {
    end: () => calls.push('end'),
    begin: async () => {
      calls.push('begin')
    }
  })
  const received = text(body)
  await setImmediate()
  t.same(calls, ['end'])
  source.push('a')
  await setImmediate()
  await setImmediate()
  t.same(calls, ['end', 'begin', 'end'])
  source.push(null)
  t.equal(await received, 'a')
  t.same(calls, ['end', 'begin', 'end', 'begin'], 'it has a turn for the work after its end')
})

test('the rest of an upload that gets no turn is discarded', async (t) => {
  const source = Readable.from([Buffer.from('a'), Buffer.from('b'), Buffer.from('c')])
  const refused = new Error('refused')
  const body = readInTurns(source, { end() {}, begin: async () => await Promise.reject(refused) })
  await t.rejects(text(body), refused)
  for (let turn = 0; turn < 5; turn++) await setImmediate()
  t.ok(source.readableEnded)
})

test('an upload that gets no turn after its handler has ended fails silently', async (t) => {
  const source = new Readable({ read() {} })
  const body = readInTurns(source, { end() {}, begin: async () => await Promise.reject(new Error('refused')) })
  // Not with `once`, which listens to errors.
  const closed = new Promise<void>((resolve) => body.on('close', resolve))
  body.resume()
  source.push('a')
  source.push(null)
  await closed
  t.match(body.errored, { message: 'refused' })
})
