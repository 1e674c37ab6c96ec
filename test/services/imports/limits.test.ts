import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import t from 'tap'
import { receiveUpload } from '../../../services/imports/upload.ts'
import { MAX_STORED_FAILED_ROWS, RATIO_EXEMPT_BYTES } from '../../../schemas/product-import.ts'
import { client, openTestFiles, startApp, temporaryFolder } from '../../helper.ts'

const IMPORTS = '/api/v1/products/imports'
const KEY = 'imports/01946f00-0000-7000-8000-00000000aaaa/upload'
const ROW = '{"externalId":"a","title":"A"}\n'
const rows = (bytes: number) => ROW.repeat(Math.ceil(bytes / ROW.length))

t.test('an upload that expands more than 200 times is rejected, and nothing is stored', async (t) => {
  const files = await openTestFiles(temporaryFolder(t))
  t.teardown(() => files.close())
  const receive = async (body: Readable) => await receiveUpload(files, KEY, { format: 'ndjson', mapping: null, body })
  const packed = gzipSync(rows(RATIO_EXEMPT_BYTES + 200_000))
  const parts = Array.from({ length: 100 }, (_, n) =>
    packed.subarray(Math.floor((n * packed.length) / 100), Math.floor(((n + 1) * packed.length) / 100))
  )
  for (const body of [Readable.from([packed]), Readable.from(parts)]) {
    await t.rejects(receive(body), {
      code: 'payload_too_large',
      message: /200 times/,
      options: { members: { limit: 200 } }
    })
    t.equal(await files.size(KEY), null)
  }
  const exempt = rows(RATIO_EXEMPT_BYTES - 200_000)
  t.match(await receive(Readable.from([gzipSync(exempt)])), { bytes: exempt.length }, 'up to 10 MB at any ratio')
  const varied = Array.from(
    { length: 60_000 },
    () => `{"externalId":"${randomBytes(60).toString('hex')}","title":"A"}\n`
  )
  const large = gzipSync(varied.join('') + rows(2_000_000), { level: 1 })
  t.match(await receive(Readable.from([large])), { total: 60_000 + Math.ceil(2_000_000 / ROW.length) })
})

t.test('failed rows are stored up to a limit; further ones are counted', async (t) => {
  const app = await startApp(t)
  const call = await client(app)
  const total = MAX_STORED_FAILED_ROWS + 700
  const file = `${'{}\n'.repeat(total)}${ROW}`
  const uploaded = await call('POST', `${IMPORTS}?projectId=shop`, file, { 'content-type': 'application/x-ndjson' })
  await app.queue.idle()
  const url = `${IMPORTS}/${uploaded.json().id}`
  const record = (await call('GET', url)).json()
  t.match(record, {
    status: 'done',
    processed: total + 1,
    created: 1,
    failed: total,
    failedStored: MAX_STORED_FAILED_ROWS
  })
  for (const as of ['rows', 'report']) {
    const { body, headers } = await call('GET', `${url}/errors?as=${as}`)
    t.equal(body.trimEnd().split('\n').length, MAX_STORED_FAILED_ROWS, as)
    t.equal(headers['x-omitted-records'], '700', as)
  }

  const small = await call('POST', `${IMPORTS}?projectId=shop`, '{}\n', { 'content-type': 'application/x-ndjson' })
  await app.queue.idle()
  t.match((await call('GET', `${IMPORTS}/${small.json().id}`)).json(), { failed: 1, failedStored: 1 })
  const complete = await call('GET', `${IMPORTS}/${small.json().id}/errors`)
  t.notOk('x-omitted-records' in complete.headers)
})
