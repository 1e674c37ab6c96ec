import t, { type Test } from 'tap'
import { createAccounts, createProjects, createUsage } from '../../../../ports/store/mongodb/accounts.ts'
import { type Database, openDatabase } from '../../../../ports/store/mongodb/database.ts'
import { createIdempotency } from '../../../../ports/store/mongodb/idempotency.ts'
import { createApiKeys } from '../../../../ports/store/mongodb/api-keys.ts'
import type { ApiKeyRecord, ApiKeyStore } from '../../../../ports/store/port.ts'
import { buildApiKey, buildAccount, buildProject, minute } from '../../../contracts/store/fixtures/content.ts'
import { Killed, killedAfter, killedEverywhere, survived } from '../../../fixtures/mongodb/faults.ts'
import { createTestDatabase } from '../../../fixtures/mongodb/test-database.ts'
import { indexesFor, recordQueries } from '../../../fixtures/mongodb/query-plans.ts'
import { MONGODB_URL } from '../../../profile.ts'

const skip = MONGODB_URL === undefined ? { skip: 'TEST_MONGODB_URL is not set' } : {}
const MAX = 3

async function setUp(t: Test) {
  const own = await createTestDatabase(t)
  const [one, other] = [await own.open(), await own.open()]
  return { ...own, one, other, keys: createApiKeys(one), others: createApiKeys(other) }
}

const active = async (keys: ApiKeyStore, at = minute(1)) =>
  (await keys.list('acme')).filter(({ disabled, expiresAt }) => !disabled && (expiresAt === null || expiresAt > at))
    .length

/** Ages all slots by a minute, so that slots without owners count as abandoned. */
async function advanceOneMinute(database: Database): Promise<void> {
  const slots = database.collection<{ _id: string; version: number; slots: { takenAt: number }[] }>('slots')
  for (const { _id, slots: taken } of await slots.find({}).toArray()) {
    await slots.updateOne(
      { _id },
      { $set: { slots: taken.map((seat) => ({ ...seat, takenAt: seat.takenAt - 61_000 })) }, $inc: { version: 1 } }
    )
  }
}

/** Adds keys until one is rejected. Returns the number of active keys of the account. */
async function fill(keys: ApiKeyStore): Promise<number> {
  for (let added = 0; added <= MAX && (await keys.add(buildApiKey({ createdAt: minute(1) }), MAX)); added++);
  return await active(keys)
}

const operations: Record<
  string,
  { before: Partial<ApiKeyRecord>[]; operation: (keys: ApiKeyStore, ids: string[]) => Promise<unknown> }
> = {
  'being added': { before: [{}], operation: async (keys) => await keys.add(buildApiKey(), MAX) },
  'being reactivated': {
    before: [{}, { disabled: true }],
    operation: async (keys, [, id = '']) =>
      await keys.update({ accountId: 'acme', id }, { disabled: false, updatedAt: minute(1) }, MAX)
  },
  'being disabled': {
    before: [{}, {}],
    operation: async (keys, [id = '']) =>
      await keys.update({ accountId: 'acme', id }, { disabled: true, updatedAt: minute(1) }, MAX)
  },
  'getting another expiry': {
    before: [{}, { expiresAt: minute(5) }],
    operation: async (keys, [, id = '']) =>
      await keys.update({ accountId: 'acme', id }, { expiresAt: minute(9), updatedAt: minute(1) }, MAX)
  },
  'getting a past expiry': {
    before: [{}, {}],
    operation: async (keys, [id = '']) =>
      await keys.update({ accountId: 'acme', id }, { expiresAt: minute(0), updatedAt: minute(1) }, MAX)
  },
  'being removed': { before: [{}, {}], operation: async (keys, [id = '']) => await keys.delete('acme', id) }
}

for (const [name, { before, operation }] of Object.entries(operations)) {
  t.test(
    `a crash while a key is ${name} never leaves too many active keys, and all slots are free a minute later`,
    skip,
    async (t) => {
      const { one, keys, others, empty } = await setUp(t)
      const kills = await killedEverywhere(async (calls) => {
        await empty()
        const made = before.map((change) => buildApiKey(change))
        for (const key of made) await keys.add(key, MAX)
        const ended = await survived(
          operation(
            createApiKeys(killedAfter(one, calls)),
            made.map(({ id }) => id)
          )
        )
        t.ok((await fill(others)) <= MAX, `killed after ${calls}`)
        await advanceOneMinute(one)
        t.equal(await fill(others), MAX, `killed after ${calls}, a minute later`)
        t.equal(await others.add(buildApiKey({ createdAt: minute(1) }), MAX), false)
        return ended
      })
      t.ok(kills >= 2, `killed ${kills} times`)
    }
  )
}

t.test('a key that was written but not acknowledged counts', skip, async (t) => {
  const { one, keys } = await setUp(t)
  const unacknowledged = {
    ...one,
    collection: (name: string) =>
      new Proxy(one.collection(name), {
        get: (target, method) =>
          name === 'api_keys' && method === 'insertOne'
            ? async (document: never) => {
                await target.insertOne(document)
                throw new Killed('the connection broke')
              }
            : Reflect.get(target, method, target)
      })
  } as Database
  await t.rejects(createApiKeys(unacknowledged).add(buildApiKey(), MAX), { message: 'the connection broke' })
  t.equal(await fill(keys), MAX)
  await advanceOneMinute(one)
  t.equal(await fill(keys), MAX)
})

t.test('a key with a duplicate value is rejected and releases its slot at once', skip, async (t) => {
  const { keys } = await setUp(t)
  const key = buildApiKey()
  await keys.add(key, MAX)
  for (let times = 0; times < MAX; times++) await t.rejects(keys.add(buildApiKey({ hash: key.hash }), MAX))
  t.equal(await fill(keys), MAX)
})

t.test(
  'twenty concurrent changes in two processes never make too many keys active, and none is lost',
  skip,
  async (t) => {
    const { one, keys, others } = await setUp(t)
    const made = Array.from({ length: 4 }, () => buildApiKey({ disabled: true }))
    for (const key of made) await keys.add(key, MAX)
    const seen: number[] = []
    await Promise.all(
      Array.from({ length: 20 }, async (_, at) => {
        const mine = at % 2 === 0 ? keys : others
        const id = { accountId: 'acme', id: made[at % 4]!.id }
        const changes = [{ disabled: false }, { disabled: true }, { expiresAt: at % 3 === 0 ? null : minute(9) }]
        await mine.update(id, { ...changes[at % 3]!, updatedAt: minute(1) }, MAX)
        seen.push(await active(mine))
      })
    )
    t.ok(Math.max(...seen) <= MAX, `at most ${Math.max(...seen)} were active`)
    await advanceOneMinute(one)
    t.equal(await fill(keys), MAX)
    const { slots } = (await one.collection<{ slots: unknown[] }>('slots').findOne({})) as { slots: unknown[] }
    t.equal(slots.length, MAX, 'no slot is left behind')
  }
)

t.test('a key that is activated while another process renames it keeps its slot', skip, async (t) => {
  const { one, keys, others } = await setUp(t)
  const key = buildApiKey({ disabled: true })
  await keys.add(key, MAX)
  const id = { accountId: 'acme', id: key.id }
  let meanwhile: (() => Promise<unknown>) | null = async () =>
    await others.update(id, { disabled: false, updatedAt: minute(1) }, MAX)
  const late = {
    ...one,
    collection: (name: string) =>
      new Proxy(one.collection(name), {
        get: (target, method) =>
          name !== 'api_keys' || method !== 'findOne'
            ? (...setUp: unknown[]) => Reflect.get(target, method, target).apply(target, setUp)
            : async (...setUp: Parameters<typeof target.findOne>) => {
                const found = await target.findOne(...setUp)
                const operation = meanwhile
                meanwhile = null
                await operation?.()
                return found
              }
      })
  } as Database
  t.match(await createApiKeys(late).update(id, { name: 'Shop', updatedAt: minute(1) }, MAX), {
    name: 'Shop',
    disabled: false
  })
  await advanceOneMinute(one)
  t.equal(await fill(keys), MAX)
})

t.test('a key with an extended expiry counts until then, and a key without expiry counts forever', skip, async (t) => {
  const { one, keys } = await setUp(t)
  const [later, forGood] = [buildApiKey({ expiresAt: minute(5) }), buildApiKey({ expiresAt: minute(5) })]
  for (const key of [later, forGood]) await keys.add(key, MAX)
  await keys.update({ accountId: 'acme', id: later.id }, { expiresAt: minute(9), updatedAt: minute(1) }, MAX)
  await keys.update({ accountId: 'acme', id: forGood.id }, { expiresAt: null, updatedAt: minute(1) }, MAX)
  await advanceOneMinute(one)
  const addAt = async (at: number) => await keys.add(buildApiKey({ createdAt: minute(at) }), MAX)
  t.strictSame([await addAt(8), await addAt(8)], [true, false])
  t.strictSame([await addAt(9), await addAt(9)], [true, false])
})

t.test('exactly one of many concurrent requests claims an idempotency key', skip, async (t) => {
  const { one, other } = await setUp(t)
  const stores = [createIdempotency(one), createIdempotency(other)] as const
  const claim = (at: number) => ({
    scope: 'acme POST /x',
    bodyHash: 'aa',
    operationId: 'operation-1',
    at: minute(at),
    expiresAt: minute(at + 100),
    staleBefore: minute(at - 10)
  })
  for (const at of [0, 20, 300]) {
    const states = await Promise.all(Array.from({ length: 20 }, (_, n) => stores[n % 2 === 0 ? 0 : 1].claim(claim(at))))
    t.equal(states.filter(({ state }) => state === 'claimed').length, 1, `at minute ${at}`)
    t.equal(states.filter(({ state }) => state === 'running').length, 19, `at minute ${at}`)
  }
  const headers = { 'x.y': '1', $z: '2', etag: '"a"' }
  await stores[0].complete('acme POST /x', { status: 200, headers, body: '{}' })
  t.strictSame(await stores[1].claim(claim(301)), { state: 'answered', response: { status: 200, headers, body: '{}' } })
})

t.test('the response of a reused idempotency key is not read for another body', skip, async (t) => {
  const database = await openDatabase(`${MONGODB_URL!}reused_keys_${process.pid}?monitorCommands=true`)
  t.teardown(async () => {
    await database.db.dropDatabase()
    await database.close()
  })
  const lengths: number[] = []
  database.db.client.on('commandSucceeded', ({ commandName, reply }) => {
    if (commandName === 'find') lengths.push(JSON.stringify(reply).length)
  })
  const keys = createIdempotency(database)
  const claim = { scope: 'acme POST /x', operationId: 'o', at: minute(0), expiresAt: minute(9), staleBefore: minute(0) }
  await keys.claim({ ...claim, bodyHash: 'aa' })
  await keys.complete(claim.scope, { status: 201, headers: {}, body: 'x'.repeat(100_000) })
  lengths.length = 0
  t.strictSame(await keys.claim({ ...claim, bodyHash: 'bb' }), { state: 'reused' })
  t.equal(lengths.length, 1)
  t.ok(lengths[0]! < 10_000, `${lengths[0]} characters`)
})

t.test('requests that several processes count in the same hour are all counted', skip, async (t) => {
  const { one, other } = await setUp(t)
  const stores = [createUsage(one), createUsage(other)] as const
  const counts = ['acme', 'zeta', 'b'].map((accountId) => ({ accountId, hour: minute(0), requests: 1, refused: 2 }))
  await Promise.all(Array.from({ length: 20 }, (_, at) => stores[at % 2 === 0 ? 0 : 1].add(counts)))
  for (const { accountId } of counts) {
    t.strictSame(await stores[0].hours(accountId, minute(0)), [{ hour: minute(0), requests: 20, refused: 40 }])
  }
})

t.test('every query for accounts, projects, API keys, idempotency keys and usage has an index', skip, async (t) => {
  const { one } = await setUp(t)
  const queries = await recordQueries(one, async (database) => {
    const [keys, key] = [createApiKeys(database), buildApiKey()]
    await keys.add(key, MAX)
    await keys.findByHash(key.hash)
    await keys.find('acme', key.id)
    await keys.list('acme')
    await keys.rotate(
      { accountId: 'acme', id: key.id, generation: 1 },
      { hash: 'x', prefix: '', last4: '', at: minute(1) }
    )
    await keys.recordUses([{ id: key.id, at: minute(1) }])
    for (const disabled of [true, false]) {
      await keys.update({ accountId: 'acme', id: key.id }, { disabled, updatedAt: minute(1) }, MAX)
    }
    await advanceOneMinute(one)
    await keys.add(buildApiKey(), 1)
    await keys.delete('acme', key.id)
    const [accounts, projects, idempotency, usage] = [
      createAccounts(database),
      createProjects(database),
      createIdempotency(database),
      createUsage(database)
    ]
    await accounts.insertIfAbsent(buildAccount('acme'))
    await accounts.update('acme', { plan: 'sage' })
    await accounts.list({ afterId: 'a', limit: 3 })
    await projects.insertIfAbsent(buildProject('acme', 'site'))
    await projects.list('acme')
    await projects.update('acme', 'site', { name: 'x' })
    await projects.delete('acme', 'site')
    await idempotency.claim({
      scope: 's',
      bodyHash: 'aa',
      operationId: 'operation-1',
      at: minute(1),
      expiresAt: minute(2),
      staleBefore: minute(0)
    })
    await idempotency.complete('s', { status: 200, headers: {}, body: '' })
    await idempotency.release('s')
    await idempotency.deleteExpired(minute(1))
    await usage.add([{ accountId: 'acme', hour: minute(0), requests: 1, refused: 0 }])
    await usage.hours('acme', minute(0))
  })
  t.ok(queries.length > 25)
  for (const query of queries) t.not(indexesFor(query).length, 0, JSON.stringify(query))
})
