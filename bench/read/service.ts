import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { buildApp } from '../../app.ts'
import { prepareFiles } from '../../ports/files/open.ts'
import { migrateStore } from '../../ports/store/open.ts'

/**
 * The service with 200 blogs: on an empty data folder, or in a new database if MONGODB_URL and
 * REDIS_URL are set. Sends its URL and an API key as a process message.
 */
const WORDS = (
  'water balcony morning bread lantern wheel garden copper window letter river stone orchard winter signal ' +
  'paper thread engine meadow bridge'
).split(' ')
const BLOGS = 200

const mongodbUrl =
  process.env.MONGODB_URL === undefined ? undefined : `${process.env.MONGODB_URL}bench_read_${process.pid}`
const scaled = {
  MONGODB_URL: mongodbUrl,
  REDIS_PREFIX: `bench-read-${process.pid}`,
  SECRETS_KEY: Buffer.alloc(32, 'bench').toString('base64'),
  SESSION_SECRET: 'a secret for benchmarks that is long enough'
}
if (mongodbUrl !== undefined) {
  await migrateStore({ mongodbUrl })
  await prepareFiles({ mongodbUrl })
}
const app = await buildApp({
  ...process.env,
  ...(mongodbUrl === undefined ? {} : scaled),
  DATA_DIR: mkdtempSync(path.join(tmpdir(), 'bench-read-')),
  DEMO_CONTENT: 'off'
})
const { accounts, apiKeys, blogs } = app.services
await accounts.ensure('bench')
await accounts.update('bench', { requestsPerHour: 10_000_000 })
const { key } = await apiKeys.create('bench', { name: 'bench' })
for (let n = 0; n < BLOGS; n++) {
  const paragraphs = Array.from({ length: 9 }, (_, p) =>
    Array.from({ length: 90 }, (_, w) => WORDS[(n * 7 + p * 13 + w * ((n % 11) + 3)) % WORDS.length]).join(' ')
  )
  await blogs.create(
    { accountId: 'bench', projectIds: null },
    {
      projectId: 'site',
      title: `Post ${n}`,
      slug: `post-${n}`,
      markdown: paragraphs.join('.\n\n## More\n\n'),
      status: 'published',
      category: `c${n % 8}`,
      tags: [`t${n % 5}`]
    }
  )
}
await app.queue.idle()
const url = await app.listen({ port: 0, host: '127.0.0.1' })
process.send!({ url, key })
