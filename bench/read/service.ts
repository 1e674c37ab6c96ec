import { randomUUID } from 'node:crypto'
import { buildApp } from '../../app.ts'
import { prepareFiles } from '../../ports/files/open.ts'
import { migrateStore } from '../../ports/store/open.ts'
import type { BlogRecord } from '../../ports/store/port.ts'
import { composeBlog, type AuthoredFields } from '../../services/blogs/compose.ts'
import { temporaryFolder } from '../harness/temporary-folder.ts'

/**
 * The service with BLOGS blogs (default 2,000): on an empty data folder, or in a new database if MONGODB_URL and
 * REDIS_URL are set. Sends its URL and an API key as a process message.
 */
const WORDS = (
  'water balcony morning bread lantern wheel garden copper window letter river stone orchard winter signal ' +
  'paper thread engine meadow bridge'
).split(' ')
const BLOGS = Number(process.env.BLOGS ?? 2000)
const RELATED = 20

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
  DATA_DIR: temporaryFolder('bench-read'),
  DEMO_CONTENT: 'off'
})
const { accounts, apiKeys, blogs } = app.services
await accounts.ensure('bench')
await accounts.update('bench', { requestsPerHour: 10_000_000 })
const { key } = await apiKeys.create('bench', { name: 'bench' })
function inputOf(n: number) {
  const paragraphs = Array.from({ length: 9 }, (_, p) =>
    Array.from({ length: 90 }, (_, w) => WORDS[(n * 7 + p * 13 + w * ((n % 11) + 3)) % WORDS.length]).join(' ')
  )
  return { title: `Post ${n}`, slug: `post-${n}`, markdown: paragraphs.join('.\n\n## More\n\n') }
}
// The first ones have related blogs.
for (let n = 0; n < Math.min(RELATED, BLOGS); n++) {
  await blogs.create(
    { accountId: 'bench', projectIds: null },
    { ...inputOf(n), projectId: 'site', status: 'published', category: `c${n % 8}`, tags: [`t${n % 5}`] }
  )
}
await app.queue.idle()
for (let n = RELATED; n < BLOGS; n++) await app.store.blogs.add(toRecord(n))

/** A blog as the service stores it. */
function toRecord(n: number): BlogRecord {
  const { title, slug, markdown } = inputOf(n)
  const id = randomUUID()
  const at = new Date(Date.UTC(2020, 0, 1) + n * 60_000).toISOString()
  const fields: AuthoredFields = {
    id,
    title,
    locale: 'en',
    category: `c${n % 8}`,
    tags: [`t${n % 5}`],
    authors: [],
    translationKey: null,
    source: {
      format: 'markdown',
      text: markdown,
      css: null,
      metaDescription: null,
      ogImageUrl: null,
      canonicalUrl: null
    }
  }
  return {
    ...composeBlog({ fields, images: [], publicUrl: 'http://127.0.0.1' }),
    id,
    accountId: 'bench',
    projectId: 'site',
    slug,
    slugWasPublic: true,
    formerSlugs: [],
    status: 'published',
    version: 1,
    createdAt: at,
    updatedAt: at,
    publishedAt: at,
    publishAt: null,
    withdrawnAt: null
  }
}

const url = await app.listen({ port: 0, host: '127.0.0.1' })
process.on('message', (message) => {
  const { user, system } = process.cpuUsage()
  process.send!({ cpu: user + system })
})
process.send!({ url, key, blogs: BLOGS })
