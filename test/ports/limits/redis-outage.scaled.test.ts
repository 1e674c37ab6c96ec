import { setTimeout as wait } from 'node:timers/promises'
import t from 'tap'
import type { RateLimitResult, Limits } from '../../../ports/limits/port.ts'
import { openRedisLimits } from '../../../ports/limits/redis/index.ts'
import { until } from '../../contracts/contract.ts'
import { openCutOff } from '../../fixtures/cut-off.ts'
import { cannotStart as skip, ownRedis } from '../../fixtures/own-redis.ts'

const own = { bucket: 'account:a', account: 'a' }
const onChange = () => {}
const open = (url: string, decisionTimeoutMs = 400) =>
  openRedisLimits({ url, prefix: 'p', onChange, decisionTimeoutMs })
const ask = async (limits: Limits, limit = 10, cost = 1): Promise<RateLimitResult> =>
  await limits.consume({ ...own, limit, cost })
const answers = (limits: Limits) =>
  limits.ping().then(
    () => true,
    () => false
  )

async function many(limits: Limits, count: number, limit: number): Promise<number> {
  let admitted = 0
  for (let asked = 0; asked < count; asked++) if ((await ask(limits, limit)).allowed) admitted += 1
  return admitted
}

t.test('the service does not start without its Redis, and its error omits the password', { skip }, async (t) => {
  const redis = await ownRedis(t)
  await redis.act((all) => all.config('SET', 'requirepass', 'rightSecret'))
  const wrong: Array<[string, RegExp]> = [
    ['redis://user:topSecret/@#?1@127.0.0.1:1', /cannot be read/],
    ['http://:topSecret1@127.0.0.1', /cannot be read/],
    ['redis://user:topSecret1@127.0.0.1:1', /ECONNREFUSED/],
    [`redis://:topSecret1@127.0.0.1:${redis.port}`, /WRONGPASS/]
  ]
  await Promise.all(
    wrong.map(async ([url, reason]) => {
      const error = await openRedisLimits({ url, prefix: 'p' }).then(
        () => null,
        (error: Error) => error
      )
      t.match(error, { name: 'StartError', message: reason })
      t.notMatch(error?.message, /topSecret/)
    })
  )
})

t.test('without Redis, each process allows its share and trusts no cached epochs', { skip }, async (t) => {
  const redis = await ownRedis(t)
  const [limits, other] = [await open(redis.url), await open(redis.url)]
  t.teardown(() => Promise.all([limits.close(), other.close()]))
  await many(limits, 4, 20)
  const before = await ask(other, 20)
  await Promise.all([limits.ping(), other.ping()]) // Each has given a sign by now.
  await limits.ping()
  await ask(limits, 20, 0)
  await ask(other, 20, 0)
  await redis.kill()
  const local = await ask(limits, 20)
  t.same([local.allowed, local.limit, local.remaining], [true, 20, 5], '4 of a share of 10, and this one')
  t.same([local.keyEpoch, local.contentEpoch], [NaN, NaN])
  t.equal(await many(limits, 20, 20), 5)
  const refused = await ask(limits, 20)
  t.same([refused.allowed, refused.remaining], [false, 0])
  t.ok(refused.retryAfterMs > 3_500_000 && refused.retryAfterMs <= 3_600_000)
  t.equal(await many(other, 20, 20), 8, 'half of the 15 that were left at the last response of Redis')

  await redis.start()
  await until(async () => (await answers(limits)) && (await answers(other)), 'both count together again')
  const after = await ask(other, 100, 0)
  t.equal(after.remaining, 100 - 19, 'what each admitted alone, and before, counts for all')
  t.ok(after.keyEpoch !== before.keyEpoch && after.keyEpoch > 0)
})

t.test('after an outage, a process allows its share until all processes have synchronized', { skip }, async (t) => {
  const redis = await ownRedis(t)
  const way = await openCutOff(t, redis.port)
  const [limits, other] = [await open(redis.url), await open(`redis://127.0.0.1:${way.port}`)]
  t.teardown(() => Promise.all([limits.close(), other.close()]))
  await ask(limits, 20)
  await ask(other, 20)
  await Promise.all([limits.ping(), other.ping()])
  await limits.ping()
  await way.cut()
  await redis.kill()
  t.equal(await many(other, 5, 20), 5)
  await redis.start()
  await until(() => answers(limits), 'one counts in Redis again')
  t.equal(await many(limits, 20, 20), 9)
  await way.restore()
  await until(() => answers(other), 'the other does, too')
  await until(async () => (await ask(limits, 20)).allowed, 'then all that is left may be had by anyone')
  t.equal(await many(limits, 20, 20), 20 - 1 - 1 - 5 - 9 - 1)
})

t.test('a hanging Redis delays few requests, and changes are rejected until it responds', { skip }, async (t) => {
  const redis = await ownRedis(t)
  const limits = await open(redis.url, 50)
  t.teardown(() => limits.close())
  const before = await ask(limits, 1_000)
  redis.pause()
  let slow = 0
  for (let asked = 0; asked < 60; asked++) {
    const began = performance.now()
    const { allowed } = await ask(limits, 1_000)
    const tookMs = performance.now() - began
    t.ok(allowed && tookMs < 500, `${Math.round(tookMs)} ms`)
    if (tookMs > 25) slow += 1
    await wait(20)
  }
  t.ok(slow >= 1 && slow <= 8, `${slow} waited`)
  const began = performance.now()
  await t.rejects(limits.bumpEpoch('a', 'keys'), {
    code: 'unavailable',
    options: { headers: { 'Retry-After': '1' } }
  })
  t.ok(performance.now() - began < 2_500)
  await t.rejects(limits.ping(), { code: 'unavailable' })
  const change = limits.bumpEpoch('a', 'keys')
  redis.resume()
  const raised = await change
  t.ok(Number.isNaN(raised) || raised > before.keyEpoch, 'a change during recovery is published')
  await until(() => answers(limits), 'counts in Redis again')
  const after = await ask(limits, 1_000, 0)
  t.ok(after.keyEpoch > before.keyEpoch)
  t.ok(
    after.remaining <= 1_000 - 61 && after.remaining >= 1_000 - 61 - slow,
    `${after.remaining} remain: all 61, and none of them twice but those that Redis did after all`
  )
})

t.test('a command that Redis runs after its timeout counts once', { skip }, async (t) => {
  const redis = await ownRedis(t)
  const way = await openCutOff(t, redis.port)
  const limits = await open(`redis://127.0.0.1:${way.port}`, 200)
  t.teardown(() => limits.close())
  await ask(limits, 100)
  way.delay(150)
  const local = await ask(limits, 100)
  t.same([local.allowed, local.keyEpoch], [true, NaN])
  way.delay(0)
  await wait(500) // The answer arrives.
  await limits.ping() // Synchronizes the pending counts.
  t.equal((await ask(limits, 100, 0)).remaining, 98)
})

t.test('a late command counts once, even if local counts were synchronized in the meantime', { skip }, async (t) => {
  const redis = await ownRedis(t)
  const limits = await open(redis.url, 100)
  t.teardown(() => limits.close())
  await ask(limits, 100)
  redis.pause()
  const local = await ask(limits, 100)
  t.same([local.allowed, local.keyEpoch], [true, NaN])
  await t.rejects(limits.ping(), { code: 'unavailable' }, 'pending counts would be synchronized now')
  redis.resume()
  await until(() => answers(limits), 'counts in Redis again')
  t.equal((await ask(limits, 100, 0)).remaining, 98)
})

t.test('local decisions reserve capacity for commands that are pending in Redis', { skip }, async (t) => {
  const redis = await ownRedis(t)
  const limits = await open(redis.url, 1_000)
  t.teardown(() => limits.close())
  const askThe = (bucket: string) => limits.consume({ bucket, limit: 1 })
  await askThe('address:first')
  redis.pause()
  const failed = askThe('address:other')
  await wait(500)
  const patient = askThe('address:one')
  await failed // From now on the next are not waited for so long.
  const hasty = await askThe('address:one')
  redis.resume()
  t.same([hasty.allowed, (await patient).allowed], [false, true])
  t.ok(hasty.retryAfterMs > 0)
})

t.test('counts are written again to a Redis that lost its data', { skip }, async (t) => {
  const redis = await ownRedis(t)
  const limits = await open(redis.url)
  t.teardown(() => limits.close())
  const before = await ask(limits, 100)
  await many(limits, 29, 100)
  await limits.ping()
  await redis.flush()
  await until(async () => (await ask(limits, 100, 0)).remaining === 70, 'the 30 count again')
  t.ok((await ask(limits, 100, 0)).keyEpoch > before.keyEpoch, 'no cached epoch is valid')

  await redis.kill()
  await redis.start()
  await until(() => answers(limits), 'it is back')
  t.equal((await ask(limits, 100, 0)).remaining, 70)
})

t.test('a Redis with an old state never reactivates an old epoch', { skip }, async (t) => {
  const redis = await ownRedis(t)
  const [limits, other] = [await open(redis.url), await open(redis.url)]
  t.teardown(() => Promise.all([limits.close(), other.close()]))
  const [mine, before] = [await ask(limits), await ask(other)]
  await redis.act((all) => all.save())
  const raised = await limits.bumpEpoch('a', 'keys')
  await redis.kill()
  await redis.start()
  await until(async () => (await answers(limits)) && (await answers(other)), 'it is back')
  const after = await ask(limits)
  t.equal(new Set([mine.keyEpoch, raised, after.keyEpoch]).size, 3)
  t.ok(after.contentEpoch > mine.contentEpoch)
  t.ok((await ask(other)).keyEpoch > before.keyEpoch, 'nor in a process that did not hear of the change which was lost')
})

t.test('every command uses one slot of a Redis cluster', { skip }, async (t) => {
  const redis = await ownRedis(t, { args: ['--cluster-enabled', 'yes'] })
  await redis.act(async (all) => {
    await all.call('CLUSTER', 'ADDSLOTSRANGE', '0', '16383')
    await until(async () => /cluster_state:ok/.test(String(await all.call('CLUSTER', 'INFO'))), 'the cluster is ready')
  })
  const limits = await open(redis.url)
  t.teardown(() => limits.close())
  await many(limits, 3, 10)
  t.ok((await limits.bumpEpoch('a', 'content')) > 0)
  t.match(await ask(limits), { allowed: true, remaining: 6 })
  await redis.flush()
  await until(async () => (await ask(limits, 100, 0)).remaining === 96, 'the counts are written again')
})

t.test('all keys expire, and a full bucket of 2,000 is small', { skip }, async (t) => {
  const redis = await ownRedis(t)
  const limits = await open(redis.url)
  await many(limits, 2_000, 2_000)
  await redis.act(async (all) => {
    const keys = await all.keys('*')
    t.equal(keys.length, 3)
    for (const key of keys) t.ok((await all.pttl(key)) > 3_600_000, key)
    const bytes = Number(await all.memory('USAGE', keys.find((key) => key.endsWith(':log'))!, 'SAMPLES', 0))
    t.ok(bytes < 30_000, `${bytes} bytes`)
  })
  await limits.close()
  await redis.act(async (all) => {
    t.equal(await all.zcard('{p:limits}:alive'), 0, 'a process that ends is not counted any more')
  })
})
