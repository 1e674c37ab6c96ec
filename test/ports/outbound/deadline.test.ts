import { setTimeout as wait } from 'node:timers/promises'
import t from 'tap'
import { type Deadline, openDeadlines } from '../../../ports/outbound/ssrf-safe-fetch/deadline.ts'

const reasons = (deadlines: Deadline[]) => deadlines.map(({ reason }) => reason?.code ?? null)

t.test('requests that share a timer expire one after another', async (t) => {
  const deadlines = openDeadlines()
  const first = deadlines.start({ timeoutMs: 200 })
  const ended = deadlines.start({ timeoutMs: 200 })
  const other = deadlines.start({ timeoutMs: 60_000 })
  await wait(100)
  const second = deadlines.start({ timeoutMs: 200 })
  deadlines.end(ended)
  const expired: [string, number][] = []
  await new Promise<void>((resolve) => {
    first.onEnd(() => expired.push(['first', performance.now() - first.startedAtMs]))
    second.onEnd(() => {
      expired.push(['second', performance.now() - second.startedAtMs])
      resolve()
    })
  })
  t.same(
    expired.map(([name]) => name),
    ['first', 'second']
  )
  t.ok(
    expired.every(([, ms]) => ms >= 200),
    'not early'
  )
  t.same(reasons([first, ended, other, second]), ['timeout', null, null, 'timeout'])
  deadlines.end(other)
})

t.test('a signal aborts its own requests, before and after they begin', async (t) => {
  const deadlines = openDeadlines()
  const controller = new AbortController()
  const { signal } = controller
  const [one, two, ended] = [deadlines.start({ signal }), deadlines.start({ signal }), deadlines.start({ signal })]
  const other = deadlines.start({ signal: new AbortController().signal })
  const free = deadlines.start({})
  deadlines.end(ended)
  controller.abort()
  const late = deadlines.start({ signal })
  t.same(reasons([one, two, ended, other, free, late]), ['reset', 'reset', null, null, null, 'reset'])
  deadlines.close()
  t.same(reasons([ended, other, free]), [null, 'reset', 'reset'])
  const last = deadlines.start({})
  t.same(reasons([last]), ['reset'], 'none begins after the end')
  for (const deadline of [one, two, other, free, late, last]) deadlines.end(deadline)
})
