// OUTAGE_RESTART_MONGODB: see below. OUTAGE_LOG: a log level that prints the logs of all processes.
import { exec } from 'node:child_process'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import t from 'tap'
import { openCutOff } from '../../fixtures/cut-off.ts'
import { startFleet } from '../../fixtures/fleet.ts'
import { ownRedis } from '../../fixtures/own-redis.ts'
import { manyRows } from '../../fixtures/products/catalog.ts'
import { eventually, openReceiver } from '../../fixtures/webhooks/receiver.ts'
import { sessionToken, temporaryFolder } from '../../helper.ts'
import { settingsFor } from '../../profile.ts'

const ROWS = 500
const EVENTS = 60
/**
 * What a process that is gone held is free again and found within this time; and no delivery waits
 * longer for its next attempt, as waits are divided.
 */
const RECOVERY_MS = 60_000
/**
 * A command that kills the MongoDB of the test, which keeps its data on disk, and starts it again;
 * where there is none, MongoDB is only cut off.
 */
const RESTART_MONGODB = process.env.OUTAGE_RESTART_MONGODB
const LONGEST_MS = 300_000

t.test(
  'an import and deliveries complete despite killed workers and outages of Redis and MongoDB',
  { timeout: LONGEST_MS * 2 },
  async (t) => {
    const redis = await ownRedis(t, { persistent: true })
    const data = temporaryFolder(t)
    const { MONGODB_URL = '' } = await settingsFor(data)
    const { hostname, port, pathname } = new URL(MONGODB_URL)
    if (hostname !== '127.0.0.1' && hostname !== 'localhost') {
      return t.comment('MongoDB is elsewhere and cannot be cut off')
    }
    const mongodb = await openCutOff(t, Number(port))
    const env = {
      MONGODB_URL: `mongodb://127.0.0.1:${mongodb.port}${pathname}?directConnection=true`,
      REDIS_URL: redis.url,
      OUTBOUND_ALLOW: '127.0.0.1',
      WEBHOOK_TIME_SCALE: '2000',
      DEFAULT_PLAN: 'samurai',
      LOG_LEVEL: process.env.OUTAGE_LOG ?? 'error'
    }
    const fleet = await startFleet(t, data, { apis: 2, workers: 2, env })
    t.teardown(() => {
      if (process.env.OUTAGE_LOG) {
        ;[...fleet.apis, ...fleet.workers].forEach((s) => console.error('=====\n' + s.out() + s.err()))
      }
    })
    const admin = `Bearer ${await sessionToken('acme', { role: 'admin' })}`
    const ask = async (
      method: string,
      path: string,
      { headers = {}, body }: { headers?: Record<string, string>; body?: unknown } = {}
    ) => {
      const text = typeof body === 'string' ? body : JSON.stringify(body)
      const answer = await fetch(fleet.apis[0]!.url + path, {
        method,
        headers: {
          ...(body === undefined
            ? {}
            : { 'content-type': typeof body === 'string' ? 'application/x-ndjson' : 'application/json' }),
          ...headers
        },
        ...(body === undefined ? {} : { body: text })
      })
      return { status: answer.status, body: (await answer.json()) as any }
    }
    await ask('PATCH', '/api/account', { headers: { authorization: admin }, body: {} })
    t.equal(
      (
        await ask('PATCH', '/api/admin/accounts/acme', {
          headers: { authorization: admin },
          body: { requestsPerHour: 1_000_000 }
        })
      ).status,
      200
    )
    const made = await ask('POST', '/api/keys', { headers: { authorization: admin }, body: { name: 'Outages' } })
    const key = { 'x-api-key': made.body.key as string }
    const receiver = await openReceiver(t)
    const hook = await ask('POST', '/api/webhooks', { headers: { authorization: admin }, body: { url: receiver.url } })
    t.equal(hook.status, 201, JSON.stringify(hook.body))
    receiver.knows(hook.body.secret)

    const rows = [...manyRows(ROWS)].map((row) => ({ ...row, imageUrl: undefined, images: undefined }))
    const upload = await ask('POST', '/api/v1/products/imports?projectId=shop', {
      headers: key,
      body: rows.map((row) => JSON.stringify(row)).join('\n')
    })
    t.equal(upload.status, 202, JSON.stringify(upload.body))
    const importPath = `/api/v1/products/imports/${upload.body.id as string}`

    const promised: string[] = []
    const rejections = new Map<string, number>()
    const done = new AbortController()
    /**
     * Publishes at an even pace; a change that was refused because a part is away is repeated by
     * its caller, as the answer says.
     */
    const publishing = (async () => {
      for (let n = 0; n < EVENTS; n++) {
        const answer = await ask('POST', '/api/v1/blogs', {
          headers: { ...key, 'idempotency-key': `outages-publication-${n}` },
          body: { projectId: 'site', title: `Post ${n}`, markdown: 'Words.', status: 'published' }
        })
        if (answer.status === 201) promised.push(answer.body.id as string)
        else {
          const refused = `${answer.status} ${answer.body.code as string}`
          // The claim of a request that could not be answered is given free as soon as the store is
          // back.
          if (!['503 unavailable', '409 request_in_progress'].includes(refused)) {
            t.fail(`post ${n} was refused by ${refused}`)
          }
          rejections.set(refused, (rejections.get(refused) ?? 0) + 1)
          await wait(500)
          n--
        }
        await wait(20)
        if (done.signal.aborted) return
      }
    })()
    t.teardown(() => {
      done.abort()
    })

    const disturb = async (what: string, act: () => Promise<unknown>) => {
      t.comment(what)
      await act()
      await wait(1500)
    }
    const killWorker = (index: number) => async () => {
      await fleet.workers[index]!.end('SIGKILL')
      fleet.workers[index] = await fleet.startWorker()
    }
    await eventually(
      async () => (await ask('GET', importPath, { headers: key })).body.processed > 0,
      'the import begins',
      LONGEST_MS
    )
    await disturb('a worker is killed', killWorker(0))
    await disturb('Redis is emptied', redis.flush)
    await disturb('the other worker is killed', killWorker(1))
    await disturb('MongoDB is cut off for three seconds', async () => {
      await mongodb.cut()
      await wait(3000)
      await mongodb.restore()
    })
    if (RESTART_MONGODB !== undefined) {
      await disturb('MongoDB is killed and started again', () => promisify(exec)(RESTART_MONGODB))
    }
    await disturb('Redis is killed for three seconds', async () => {
      await redis.kill()
      await wait(3000)
      await redis.start()
    })
    await disturb('both workers are killed and Redis is emptied', async () => {
      await Promise.all([0, 1].map((index) => killWorker(index)()))
      await redis.flush()
    })
    await publishing
    t.comment(
      'temporarily rejected publications: ' +
        `${[...rejections].map(([what, count]) => `${count} × ${what}`).join(', ')}`
    )
    const calmMs = Date.now()
    const afterCalm = (what: string) =>
      t.comment(`${what} ${((Date.now() - calmMs) / 1000).toFixed(0)} s after the last disturbance`)
    await eventually(
      async () => {
        const { body } = await ask('GET', importPath, { headers: key })
        return body.status === 'done'
      },
      'the import ends',
      LONGEST_MS
    )
    afterCalm('the import ended')
    const ended = (await ask('GET', importPath, { headers: key })).body
    t.match(ended, { total: ROWS, processed: ROWS, created: ROWS, updated: 0, unchanged: 0, failed: 0 })
    const blogIds = () =>
      new Set(
        receiver.received
          .filter(({ event }) => event === 'blog.published')
          .map(({ envelope }) => envelope.data.id as string)
      )
    await eventually(() => promised.every((id) => blogIds().has(id)), 'every publication has an event', LONGEST_MS)
    afterCalm(`${promised.length} publications have events`)
    const publications = (await ask('GET', '/api/v1/blogs?pageSize=1', { headers: key })).body.totalCount as number
    // Where MongoDB was lost between a change and its answer nobody knows what became of it, and
    // its repetition may make another blog.
    t.comment(`${publications} blogs are there for ${promised.length} publications that were answered`)
    t.ok(publications >= promised.length && publications <= promised.length + 2, 'what was repeated is not made again')
    await eventually(
      async () => {
        await wait(500) // Counting is work, too.
        return (await ask('GET', '/api/v1/products?status=pending&pageSize=1', { headers: key })).body.totalCount === 0
      },
      'every product is optimized',
      LONGEST_MS
    )
    afterCalm('every product was optimized')
    t.equal(
      (await ask('GET', '/api/v1/products?pageSize=1', { headers: key })).body.totalCount,
      ROWS,
      'no product is lost or doubled'
    )

    const published = () =>
      new Set(
        receiver.received
          .filter(({ event }) => event === 'products.optimized')
          .flatMap(({ envelope }) =>
            (envelope.data.products as { external_id: string }[]).map((product) => product.external_id)
          )
      )
    await eventually(
      () => rows.every(({ externalId }) => published().has(externalId)),
      'every product is published',
      RECOVERY_MS + LONGEST_MS
    )
    afterCalm('every product is published')
    const sequences = [
      ...new Map(receiver.received.map(({ delivery, envelope }) => [delivery, envelope.sequence])).values()
    ].sort((a, b) => a - b)
    t.same(
      sequences,
      sequences.map((_, index) => index + 1),
      'the events have no gaps'
    )
    const bodies = new Map<string, Set<string>>()
    for (const { delivery, body } of receiver.received) {
      bodies.set(delivery, (bodies.get(delivery) ?? new Set()).add(body))
    }
    t.ok(
      [...bodies.values()].every(({ size }) => size === 1),
      'what came twice has the same id and the same bytes'
    )
    t.same(receiver.refused, [], 'every body was signed')
    t.comment(`${receiver.received.length} requests for ${bodies.size} deliveries`)
  }
)
