import { spawnSync } from 'node:child_process'
import { openSync, closeSync, renameSync, writeSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import t from 'tap'
import { buildApp } from '../../../app.ts'
import { appSettings, client, publish, temporaryFolder } from '../../helper.ts'
import { scaled } from '../../profile.ts'

const PROGRAM = path.resolve(import.meta.dirname, '../../fixtures/health/fill-file.ts')
/** Every health check writes. */
const ALWAYS = { HEALTH_PROBE_SECONDS: '0' }
/** Blocks of 512 bytes: larger than a new store, smaller than its log can grow. */
const FILE_BLOCKS = 3000
const PAGE_BYTES = 4096

if (!scaled) {
  t.test('a service is not ready when its disk is full', async (t) => {
    const env = { ...(await appSettings(temporaryFolder(t))), ...ALWAYS, DEMO_CONTENT: 'off' }
    const { stdout, stderr } = spawnSync(
      'sh',
      ['-c', `ulimit -f ${FILE_BLOCKS}; exec "$0" "$1"`, process.execPath, PROGRAM],
      { encoding: 'utf8', env: { ...process.env, NODE_NO_WARNINGS: '1', ...env } }
    )
    t.equal(stderr, '')
    t.match(JSON.parse(stdout), {
      before: { statusCode: 200, missing: [] },
      after: { statusCode: 503, missing: ['store'] }
    })
  })

  t.test('a service is not ready when a table of its store is damaged', async (t) => {
    const data = temporaryFolder(t)
    const env = { ...(await appSettings(data)), ...ALWAYS }
    const first = await buildApp(env)
    await publish(await client(first), { title: 'Hello' })
    await first.close()
    const file = path.join(data, 'store.db')
    const db = new DatabaseSync(file)
    const { rootpage } = db.prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'images'").get() as {
      rootpage: number
    }
    db.close()
    const fd = openSync(file, 'r+')
    writeSync(fd, Buffer.alloc(PAGE_BYTES, 0xa5), 0, PAGE_BYTES, (rootpage - 1) * PAGE_BYTES)
    closeSync(fd)
    const app = await buildApp(env)
    t.teardown(() => app.close())
    for (let n = 0; n < 2; n++) {
      t.match((await app.inject('/health/ready')).json(), { status: 503, code: 'unavailable', missing: ['store'] })
    }
    t.equal((await app.inject('/health/live')).statusCode, 200)
  })

  t.test('a service is not ready while files cannot be written, and ready again afterward', async (t) => {
    const data = temporaryFolder(t)
    const app = await buildApp({ ...(await appSettings(data)), ...ALWAYS })
    t.teardown(() => app.close())
    t.equal((await app.inject('/health/ready')).statusCode, 200)
    renameSync(path.join(data, 'files'), path.join(data, 'unmounted'))
    t.match((await app.inject('/health/ready')).json(), { status: 503, missing: ['files'] })
    renameSync(path.join(data, 'unmounted'), path.join(data, 'files'))
    t.equal((await app.inject('/health/ready')).statusCode, 200)
  })
}

t.test('the store and the files are written at most once in an interval, also by concurrent checks', async (t) => {
  const app = await buildApp({ ...(await appSettings(temporaryFolder(t))), HEALTH_PROBE_SECONDS: '3600' })
  t.teardown(() => app.close())
  const counts = { store: 0, files: 0 }
  for (const name of ['store', 'files'] as const) {
    const { probe } = app[name]
    app[name].probe = async () => {
      counts[name] += 1
      // The first one fails: a failure is not remembered.
      if (counts[name] === 1) throw new Error('The disk is full.')
      await probe()
    }
  }
  t.match((await app.inject('/health/ready')).json(), { status: 503, missing: ['store', 'files'] })
  const responses = await Promise.all(Array.from({ length: 5 }, () => app.inject('/health/ready')))
  t.same(
    responses.map(({ statusCode }) => statusCode),
    [200, 200, 200, 200, 200]
  )
  t.same(counts, { store: 2, files: 2 })
})
