import { setTimeout as wait } from 'node:timers/promises'
import t from 'tap'
import { createResponseDeadline } from '../../lib/response-deadline.ts'

const never = <T>(): Promise<T> => new Promise<T>(() => {})
const createError = () => new Error('not responding')

t.test('an operation fails when the server stops responding, and other operations share the ping', async (t) => {
  let pings = 0
  const run = createResponseDeadline({
    timeoutMs: 100,
    createError,
    ping: () => {
      pings += 1
      return never()
    }
  })
  const results = await Promise.allSettled(Array.from({ length: 50 }, () => run(() => never())))
  t.ok(results.every((result) => result.status === 'rejected' && result.reason.message === 'not responding'))
  t.ok(pings < 5, String(pings))
})

t.test('a slow operation goes on while the server responds', async (t) => {
  const run = createResponseDeadline({ timeoutMs: 50, createError, ping: async () => {} })
  t.equal(await run(async () => await wait(300, 'done')), 'done')
  await t.rejects(
    run(async () => {
      await wait(150)
      throw new Error('its own error')
    }),
    /its own error/
  )
})

t.test('a server that stops responding after a while is noticed', async (t) => {
  let answers = 3
  const run = createResponseDeadline({ timeoutMs: 50, createError, ping: () => (answers-- > 0 ? wait(1) : never()) })
  await t.rejects(
    run(() => never()),
    /not responding/
  )
  t.equal(answers, -1)
})

t.test('an operation that throws synchronously causes no pings', async (t) => {
  let pings = 0
  const ping = async () => {
    pings += 1
  }
  const run = createResponseDeadline({ timeoutMs: 50, createError, ping })
  const broken = () => {
    throw new Error('its own error')
  }
  await t.rejects(run(broken), /its own error/)
  await wait(150)
  t.equal(pings, 0)
})
