import { Redis } from 'ioredis'
import { createServer } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { openBullmqQueue } from '../../ports/queue/bullmq/index.ts'
import type { JobFailure, Queue } from '../../ports/queue/port.ts'
import { cannotStart as skip, ownRedis, type OwnRedis } from '../fixtures/own-redis.ts'
import { freePort } from '../servers/index.ts'

const JOB = 'refresh-related'
const POLICY = { concurrency: 1, attempts: 3, backoffMs: [0], timeoutMs: 60_000 }

interface Room {
  redis: OwnRedis
  queue: Queue
  failures: JobFailure[]
  errors: string[]
}

/** A test over a Redis of its own, which may be killed. */
function overOwnRedis(title: string, body: (t: Test, room: Room) => Promise<void>): void {
  t.test(title, { skip }, async (t) => {
    const redis = await ownRedis(t, { persistent: true })
    const [failures, errors]: [JobFailure[], string[]] = [[], []]
    const listener = {
      failed: (job: JobFailure) => failures.push(job),
      queueError: (error: Error) => errors.push(error.message)
    }
    const queue = await openBullmqQueue({ url: redis.url, prefix: 'test', listener, graceMs: 200 })
    try {
      await body(t, { redis, queue, failures, errors })
    } finally {
      await queue.close()
    }
  })
}

/** Waits for as long as recovery may take. */
async function seen(condition: () => boolean, what: string): Promise<number> {
  const began = performance.now()
  while (!condition()) {
    if (performance.now() - began > 30_000) throw new Error(`never happened: ${what}`)
    await wait(10)
  }
  return Math.round(performance.now() - began)
}

overOwnRedis(
  'while Redis is away jobs are refused within about a second, and afterwards all goes on by itself',
  async (t, { redis, queue, failures, errors }) => {
    const done: string[] = []
    const gate = Promise.withResolvers<void>()
    queue.work(JOB, POLICY, async ({ payload }) => {
      if (payload.accountId === 'running') await gate.promise
      done.push(payload.accountId)
    })
    await queue.add(JOB, { accountId: 'running' })
    await queue.add(JOB, { accountId: 'waiting' })
    while ((await queue.depth(JOB)).running === 0) await wait(5)
    await wait(1_200) // Redis writes to disk every second.
    await redis.kill()
    const began = performance.now()
    await t.rejects(queue.add(JOB, { accountId: 'refused' }), { code: 'unavailable', statusCode: 503 })
    t.ok(performance.now() - began < 1_500, `refused after ${Math.round(performance.now() - began)} ms`)
    const again = performance.now()
    const asked: Array<Promise<unknown>> = [
      queue.add(JOB, { accountId: 'refused' }),
      queue.ping(),
      queue.depth(JOB),
      queue.dead(JOB, 1),
      queue.retry(JOB, null),
      queue.idle()
    ]
    for (const outcome of await Promise.allSettled(asked)) {
      t.match(outcome, { status: 'rejected', reason: { code: 'unavailable' } })
    }
    t.ok(performance.now() - again < 300, 'who asks later is refused at once')
    gate.resolve()
    await wait(1_500)
    await redis.start()
    t.comment(`after ${await seen(() => done.includes('waiting'), 'the waiting one is worked')} ms`)
    await wait(600)
    await queue.add(JOB, { accountId: 'later' })
    await queue.idle()
    t.same(done, ['running', 'waiting', 'later'])
    t.same(failures, [])
    t.ok(errors.length > 0 && errors.length < 6, `${errors.length} errors were logged: ${errors.join('; ')}`)
  }
)

overOwnRedis('a Redis that does not answer is taken for one that is away', async (t, { redis, queue }) => {
  let runs = 0
  queue.work(JOB, POLICY, async () => {
    runs++
  })
  await queue.add(JOB, { accountId: 'a' })
  await queue.idle()
  redis.pause()
  const began = performance.now()
  await t.rejects(queue.add(JOB, { accountId: 'b' }), { code: 'unavailable' })
  t.ok(performance.now() - began < 1_500, `refused after ${Math.round(performance.now() - began)} ms`)
  redis.resume()
  await queue.add(JOB, { accountId: 'c' })
  await queue.idle()
  t.ok(runs >= 2, 'and all goes on')
})

overOwnRedis(
  'a restart of Redis that takes less than a second is not seen by who adds jobs',
  async (t, { redis, queue }) => {
    for (;;) {
      await queue.ping()
      await redis.kill()
      const began = performance.now()
      const awayMs = wait(300)
        .then(() => redis.start())
        .then(() => performance.now() - began)
      const added = await queue.add(JOB, { accountId: 'a' }).then(() => 'added', String)
      // On a busy machine a start takes longer: that restart proves nothing.
      if (added === 'added' || (await awayMs) < 800) {
        t.equal(added, 'added')
        return
      }
      while (
        await queue.ping().then(
          () => false,
          () => true
        )
      ) {
        await wait(50)
      }
    }
  }
)

overOwnRedis(
  'when Redis is emptied, what runs goes on, and what is added later is worked',
  async (t, { redis, queue, errors }) => {
    const [done, begun]: [string[], string[]] = [[], []]
    const gate = Promise.withResolvers<void>()
    queue.work(JOB, { ...POLICY, concurrency: 2 }, async ({ payload }) => {
      begun.push(payload.accountId)
      if (payload.accountId === 'running') await gate.promise
      done.push(payload.accountId)
    })
    queue.work('sweep', POLICY, async () => {
      done.push('sweep')
    })
    await queue.add(JOB, { accountId: 'running' }, { key: 'running' })
    await queue.add(JOB, { accountId: 'later' }, { delayMs: 60_000 })
    await seen(() => begun.length === 1, 'it runs')
    await redis.flush()
    await queue.add(JOB, { accountId: 'after' }, { key: 'running' })
    await queue.add('sweep', {})
    t.comment(`after ${await seen(() => done.length === 2, 'what is added is worked')} ms`)
    gate.resolve()
    await seen(() => done.includes('running'), 'the run ends')
    await queue.idle()
    t.same(done.toSorted(), ['after', 'running', 'sweep'])
    await queue.add(JOB, { accountId: 'last' })
    await seen(() => done.includes('last'), 'and so on')
    t.comment(errors.join('; '))
  }
)

overOwnRedis('a run whose job vanished with Redis fails without harm', async (t, { redis, queue, failures }) => {
  const gate = Promise.withResolvers<void>()
  queue.work(JOB, POLICY, async ({ payload }) => {
    if (payload.accountId !== 'running') return
    await gate.promise
    throw new Error('no')
  })
  await queue.add(JOB, { accountId: 'running' })
  while ((await queue.depth(JOB)).running === 0) await wait(5)
  await redis.flush()
  gate.resolve()
  await seen(() => failures.length === 1, 'the failure is reported')
  await queue.add(JOB, { accountId: 'a' })
  await queue.idle()
  t.match(await queue.depth(JOB), { waiting: 0, running: 0, failed: 0 })
})

overOwnRedis('a queue is closed in time though Redis is away', async (t, { redis, queue }) => {
  queue.work(JOB, POLICY, ({ signal }) => new Promise((resolve) => signal.addEventListener('abort', () => resolve())))
  await queue.add(JOB, { accountId: 'a' })
  while ((await queue.depth(JOB)).running === 0) await wait(5)
  await redis.kill()
  await wait(100)
  const began = performance.now()
  await queue.close()
  t.ok(performance.now() - began < 5_000, `closed after ${Math.round(performance.now() - began)} ms`)
})

overOwnRedis(
  'a queue that was closed while Redis did not answer leaves nobody behind who looks for it',
  async (t, { redis, queue }) => {
    queue.work(JOB, POLICY, async () => {})
    queue.work('sweep', POLICY, async () => {})
    await queue.add(JOB, { accountId: 'a' })
    await queue.idle()
    redis.pause()
    const began = performance.now()
    await Promise.all([queue.close(), wait(500).then(() => redis.kill())])
    t.ok(performance.now() - began < 6_000, `closed after ${Math.round(performance.now() - began)} ms`)
    let calls = 0
    const listener = createServer((socket) => {
      calls += 1
      socket.destroy()
    })
    await new Promise<void>((resolve) => listener.listen(redis.port, '127.0.0.1', resolve))
    t.teardown(() => listener.close())
    await wait(3_000) // Retries come every two seconds.
    t.equal(calls, 0)
  }
)

overOwnRedis(
  'a Redis with an eviction policy is reported once, and a full Redis rejects jobs',
  async (t, { redis }) => {
    const admin = new Redis(redis.url)
    await admin.config('SET', 'maxmemory-policy', 'allkeys-lru')
    const errors: string[] = []
    const queue = await openBullmqQueue({
      url: redis.url,
      prefix: 'other',
      listener: { failed() {}, queueError: ({ message }) => errors.push(message) }
    })
    for (const name of [JOB, 'sweep'] as const) queue.work(name, POLICY, async () => {})
    await queue.add(JOB, { accountId: 'a' })
    await queue.idle()
    t.match(errors, [/maxmemory-policy is allkeys-lru/])
    t.equal(errors.length, 1)
    await admin.config('SET', 'maxmemory-policy', 'noeviction')
    await admin.config('SET', 'maxmemory', '1mb')
    await t.rejects(queue.add(JOB, { accountId: 'a' }), { code: 'unavailable', cause: { message: /^OOM/ } })
    await admin.config('SET', 'maxmemory', '0')
    await queue.add(JOB, { accountId: 'a' })
    await queue.idle()
    await queue.close()
    await admin.quit()
  }
)

overOwnRedis('an unusable Redis is reported at startup, without its password', async (t, { redis }) => {
  const startError = async (url: string): Promise<string> => {
    const error = await openBullmqQueue({ url, prefix: 'test' }).then(
      () => new Error('opened'),
      (error: Error) => error
    )
    t.equal(error.name, 'StartError')
    return error.message
  }
  const began = performance.now()
  t.match(
    await startError(redis.url.replace('//', '//someone:wrong@')),
    /^The Redis of REDIS_URL cannot be used: redis:\/\/127\.0\.0\.1:\d+ \(WRONGPASS/
  )
  t.ok(performance.now() - began < 2_000, 'a password that is refused is refused at once')
  t.match(
    await startError(`redis://:hidden@127.0.0.1:${await freePort()}/1`),
    /^The Redis of REDIS_URL cannot be used: redis:\/\/127\.0\.0\.1:\d+\/1 \(.*ECONNREFUSED/
  )
  t.ok(performance.now() - began < 8_000)
  for (const url of ['', 'redis', 'http://127.0.0.1', 'redis://:hidden@[']) {
    t.match(await startError(url), /^REDIS_URL must be a URL that starts with/)
  }
})
