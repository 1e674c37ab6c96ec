import { randomUUID } from 'node:crypto'
import t from 'tap'
import { prepareFiles } from '../../../../ports/files/open.ts'
import { migrateStore } from '../../../../ports/store/open.ts'
import { cannotStart, ownMongodb } from '../../../fixtures/own-mongodb.ts'
import { eventually } from '../../../fixtures/webhooks/receiver.ts'
import { client, person, publish, startApp } from '../../../helper.ts'
import { REDIS_URL } from '../../../profile.ts'

const skip = cannotStart || (REDIS_URL === undefined ? 'needs TEST_REDIS_URL' : false)
/** The default. Below, a request may take this long and some more on a busy machine. */
const TIMEOUT_MS = 5000

t.test(
  'while MongoDB is frozen, requests fail in time and cached reads go on',
  { skip, timeout: 120_000 },
  async (t) => {
    const mongodb = await ownMongodb(t)
    const mongodbUrl = `${mongodb.url}frozen`
    await migrateStore({ mongodbUrl })
    await prepareFiles({ mongodbUrl })
    const app = await startApp(t, {
      MONGODB_URL: mongodbUrl,
      REDIS_URL: REDIS_URL!,
      REDIS_PREFIX: `test-${randomUUID()}`,
      SECRETS_KEY: Buffer.alloc(32).toString('base64'),
      STORE_TIMEOUT_MS: String(TIMEOUT_MS)
    })
    const call = await client(app)
    const admin = await person(app, 'acme')
    const { slug } = await publish(call, { title: 'Cached' })
    const other = await publish(call, { title: 'Not cached' })
    await app.queue.idle() // Jobs of the new blogs change related posts, which invalidates cached responses.
    t.equal((await call('GET', `/api/v1/blogs/${slug}`)).statusCode, 200)

    mongodb.pause()
    t.teardown(() => {
      mongodb.resume()
    })
    const startedMs = performance.now()
    const timed = async (request: Promise<{ statusCode: number; json: () => { code: string } }>) => {
      const answer = await request
      return { status: answer.statusCode, code: answer.json().code, seconds: (performance.now() - startedMs) / 1000 }
    }
    const answers = await Promise.all([
      timed(call('GET', `/api/v1/blogs/${other.slug}`)),
      timed(call('POST', '/api/v1/products', { projectId: 'shop', externalId: '1', title: 'New' })),
      timed(
        call(
          'POST',
          '/api/v1/blogs',
          { projectId: 'site', title: 'New', markdown: 'x' },
          { 'idempotency-key': 'frozen-store-0001' }
        )
      ),
      timed(admin('GET', '/api/keys')),
      ...Array.from({ length: 150 }, () => timed(call('GET', '/api/v1/products?projectId=shop')))
    ])
    for (const { status, code } of answers.slice(0, 5)) t.strictSame([status, code], [503, 'unavailable'])
    // Lists wait for others of the account, and are rejected when too many wait, or together with them.
    for (const { status, code } of answers) t.ok(status === 503 && ['unavailable', 'busy'].includes(code), code)
    const slowest = Math.max(...answers.map(({ seconds }) => seconds))
    t.comment(`slowest response: ${slowest.toFixed(1)} s`)
    t.ok(slowest < 10, `${slowest} s`)
    const cached = performance.now()
    t.equal((await call('GET', `/api/v1/blogs/${slug}`)).statusCode, 200, 'a cached read')
    t.ok(performance.now() - cached < 2000)
    t.equal((await app.inject('/health/ready')).statusCode, 503)
    t.equal((await app.inject('/health/live')).statusCode, 200)

    mongodb.resume()
    await eventually(async () => (await app.inject('/health/ready')).statusCode === 200, 'the process is ready again')
    t.equal((await call('GET', `/api/v1/blogs/${other.slug}`)).statusCode, 200)
    t.equal((await call('GET', '/api/v1/products?projectId=shop')).statusCode, 200)
  }
)
