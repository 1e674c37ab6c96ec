import { setTimeout } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { DISK } from '../../ports/store/sqlite/log-flushes.ts'
import { buildApp } from '../../app.ts'
import { appSettings, client, startApp, temporaryFolder } from '../helper.ts'

const { sync } = DISK
const product = (title: string) => ({ projectId: 'shop', externalId: 'cup', title })

/** Replaces the flushes of the disk until the test ends. */
function replaceSync(t: Test, replacement: typeof sync): void {
  DISK.sync = replacement
  t.teardown(() => {
    DISK.sync = sync
  })
}

t.test('a response does not confirm the change of another request before it is durable', async (t) => {
  const call = await client(await startApp(t))
  await call('POST', '/api/v1/products', product('Cup'))
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  replaceSync(t, async (descriptor) => {
    await released
    await sync(descriptor)
  })
  const statuses: number[] = []
  const change = async () => {
    statuses.push((await call('POST', '/api/v1/products', product('Large cup'))).statusCode)
  }
  const first = change()
  await setTimeout(200)
  const second = change()
  await setTimeout(500)
  t.same(statuses, [], 'the second request changes nothing, and waits all the same')
  t.equal((await call('GET', '/api/v1/products')).statusCode, 200, 'reads do not wait')
  release()
  await Promise.all([first, second])
  t.same(statuses, [200, 200])
})

t.test('after the disk has failed, no change is confirmed, also when it is sent again', async (t) => {
  const app = await buildApp(await appSettings(temporaryFolder(t)))
  const call = await client(app)
  await call('POST', '/api/v1/products', product('Cup'))
  replaceSync(t, async () => {
    throw Object.assign(new Error('I/O error'), { code: 'EIO' })
  })
  for (const attempt of [1, 2, 3]) {
    const response = await call('POST', '/api/v1/products', product('Large cup'))
    t.match(response.json(), { status: 503, code: 'unavailable' }, `attempt ${attempt}`)
  }
  t.equal((await call('GET', '/api/v1/products')).statusCode, 200)
  t.equal((await app.inject('/health/ready')).statusCode, 503)
  await t.rejects(app.close(), { code: 'unavailable' }, 'it cannot write what it counted')
})
