import t from 'tap'
import { buildVisualCheck } from '../../../../contracts/store/fixtures/visual-checks.ts'
import { client, publish, startApp } from '../../../../helper.ts'
import { halves } from '../../../../services/images/sample-images.ts'

const png = await halves(1400, 700).png().toBuffer()

t.test('an address is limited by the images that are created for it, not by its requests', async (t) => {
  const app = await startApp(t, { IMAGE_VARIANTS_PER_HOUR: '2', ADDRESS_REQUESTS_PER_HOUR: '5' })
  const call = await client(app)
  const { id } = await publish(call, { title: 'With images' })
  const upload = await call('POST', `/api/v1/blogs/${id}/images?filename=a.png`, png, { 'content-type': 'image/png' })
  const path = new URL((upload.json() as { url: string }).url).pathname
  const get = async (query = '', remoteAddress = '192.0.2.1') => await app.inject({ url: path + query, remoteAddress })

  const first = await get('?w=320')
  t.equal(first.statusCode, 200)
  t.match(first.headers, { 'x-ratelimit-limit': '2', 'x-ratelimit-remaining': '2' })
  t.equal((await get('?w=640')).statusCode, 200)
  for (let i = 0; i < 10; i++) t.equal((await get('?w=320')).statusCode, 200, 'existing images are not limited')
  t.equal((await get()).statusCode, 200)
  const rejected = await get('?w=960')
  t.match(rejected.json(), {
    status: 429,
    code: 'rate_limited',
    detail: /^The limit of 2 new image variants per hour has been reached\. Retry in \d+ s\.$/
  })
  t.match(rejected.headers, { 'retry-after': /^\d+$/, 'x-ratelimit-remaining': '0' })
  t.equal((await get('?w=960', '192.0.2.2')).statusCode, 200, 'another address has its own limit')
  t.equal((await get('?w=960')).statusCode, 200, 'and then the image exists')

  await app.store.visualChecks.add(
    buildVisualCheck({ accountId: 'acme', blogId: id, status: 'running', finishedAt: null }),
    10
  )
  t.equal((await get('?w=1280')).statusCode, 200, 'a visual check finds all images of its blog')
})
