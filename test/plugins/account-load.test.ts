import { PassThrough } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import t from 'tap'
import { processLoad } from '../../services/account-load.ts'
import { client, startApp } from '../helper.ts'

t.test('a request that changes something has precedence over the work of other accounts', async (t) => {
  const app = await startApp(t)
  const call = await client(app, 'small')
  await app.queue.idle()
  await processLoad.run('large', () => wait(20))
  t.equal(await processLoad.giveWay('large', 10_000), false)

  const upload = new PassThrough()
  const type = { 'content-type': 'application/x-ndjson' }
  const request = call('POST', '/api/v1/products/imports?projectId=shop', upload, type)
  upload.write('{"externalId":"a","title":"A"}\n')
  await wait(20)
  t.equal(await processLoad.giveWay('large', 1), true, 'it is in progress')
  await app.queue.close() // So that the import itself does not run.
  upload.end()
  t.not((await request).statusCode, 500)
  t.equal(await processLoad.giveWay('large', 10_000), false, 'it has ended')
})
