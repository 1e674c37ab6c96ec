import { mkdtempSync, rmSync } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'
import path from 'node:path'
import { buildApp } from '../../app.ts'
import { ApiError } from '../../errors.ts'
import { prepareFiles } from '../../ports/files/open.ts'
import { mapConcurrently } from '../../lib/async.ts'
import { migrateStore } from '../../ports/store/open.ts'
import type { BlogRecord } from '../../ports/store/port.ts'
import { newId } from '../../services/ids.ts'
import { createImportedPost, createPost, createProduct, slugOf, subjectOf } from './content.ts'
import { ACCOUNT, BLOG_PROJECT, PRODUCT_PROJECT, type Command, type Reply } from './protocol.ts'

/**
 * The service of the growth benchmark, in a process of its own: its CPU time and memory are those of
 * the service alone. Executes commands that arrive as process messages, one at a time.
 */
const mongodbUrl =
  process.env.MONGODB_URL === undefined ? undefined : `${process.env.MONGODB_URL}bench_growth_${process.pid}`
const folder = mkdtempSync(path.join(tmpdir(), 'bench-growth-'))
if (mongodbUrl !== undefined) {
  await migrateStore({ mongodbUrl })
  await prepareFiles({ mongodbUrl })
}
const app = await buildApp({
  ...process.env,
  ...(mongodbUrl === undefined
    ? {}
    : {
        MONGODB_URL: mongodbUrl,
        REDIS_PREFIX: `bench-growth-${process.pid}`,
        SECRETS_KEY: Buffer.alloc(32, 'bench').toString('base64'),
        SESSION_SECRET: 'a secret for benchmarks that is long enough'
      }),
  LOG_LEVEL: 'silent',
  DATA_DIR: folder,
  DEMO_CONTENT: 'off',
  OUTBOUND_ALLOW: '127.0.0.1'
})
const { accounts, apiKeys, blogImport, blogs, products, projects, webhooks } = app.services
const WRITER = { accountId: ACCOUNT, projectIds: null }
/** Posts of one request of an import. */
const IMPORTED_AT_ONCE = 50
/**
 * Posts that are rendered. Those above are copies of them with the labels, dates and subject of their index, saved by
 * the store alone: they can be listed and searched, and no related posts are computed for them.
 */
const RENDERED = 10_000
const TEMPLATES = 500
/** Copies that are saved at once. */
const COPIED_AT_ONCE = 200
const filled = { posts: 0, products: 0, accounts: 0 }

async function fill(target: { posts: number; products: number; accounts: number }): Promise<void> {
  // Neighbors: accounts with one post each.
  for (; filled.accounts < target.accounts; filled.accounts++) {
    const accountId = `neighbor-${filled.accounts}`
    await accounts.ensure(accountId)
    await blogs.create({ accountId, projectIds: null }, createPost(filled.accounts, BLOG_PROJECT))
  }
  const rendered = Math.min(target.posts, RENDERED)
  await importPosts(filled.posts, rendered - filled.posts)
  await idle()
  await copyPosts(Math.max(filled.posts, rendered), target.posts)
  filled.posts = Math.max(filled.posts, target.posts)
  while (filled.products < target.products) {
    const count = Math.min(1000, target.products - filled.products)
    const batch = Array.from({ length: count }, (_, i) => createProduct(filled.products + i))
    await products.batch(WRITER, { projectId: PRODUCT_PROJECT, products: batch }, {})
    filled.products += count
  }
  await idle()
}

/** Until related posts are computed, too: after an import, their job is delayed. */
async function idle(): Promise<void> {
  for (;;) {
    try {
      do await app.queue.idle()
      while ((await app.queue.depth('refresh-related')).waiting > 0 && (await wait(100, true)))
      return
    } catch (error) {
      // On a machine that is busy with other programs, Redis may answer late.
      if (!(error instanceof ApiError && error.code === 'unavailable')) throw error
      await wait(1000)
    }
  }
}

/** Imports posts as `svc import blogs` does: two batches at the same time. */
async function importPosts(first: number, count: number): Promise<void> {
  const batches = Array.from({ length: Math.max(0, Math.ceil(count / IMPORTED_AT_ONCE)) }, (_, i) => ({
    first: first + i * IMPORTED_AT_ONCE,
    size: Math.min(IMPORTED_AT_ONCE, count - i * IMPORTED_AT_ONCE)
  }))
  await mapConcurrently(batches, 2, async (batch) => {
    const indexes = Array.from({ length: batch.size }, (_, i) => batch.first + i)
    const items = indexes.map((index) => ({ index, blog: createImportedPost(index) }))
    const results = await blogImport.importBlogs(WRITER, BLOG_PROJECT, items)
    const failed = results.find(({ result }) => result === 'failed')
    if (failed !== undefined) throw new Error(`Post ${failed.index}: ${JSON.stringify(failed.errors)}`)
  })
}

async function copyPosts(first: number, end: number): Promise<void> {
  if (first >= end) return
  const oldest = { ...WRITER, status: 'published', sort: 'publishedAt' } as const
  const page = { page: 1, pageSize: TEMPLATES, withBody: true }
  const templates = (await app.store.blogs.list(oldest, page)).blogs as BlogRecord[]
  for (let start = first; start < end; start += COPIED_AT_ONCE) {
    const indexes = Array.from({ length: Math.min(COPIED_AT_ONCE, end - start) }, (_, i) => start + i)
    const copies = indexes.map((index) => ({ blog: copyOf(templates[index % templates.length]!, index), events: [] }))
    const failed = (await app.store.blogs.addMany(copies)).find((error) => error !== null)
    if (failed !== undefined) throw failed
  }
}

function copyOf({ body, ...template }: BlogRecord, index: number): BlogRecord {
  const { slug = slugOf(index), category = null, tags = [], publishedAt } = createPost(index, BLOG_PROJECT)
  const now = new Date().toISOString()
  const toSubject = (term: string): string => term.replace(/^subject\d+/, `subject${subjectOf(index)}`)
  return {
    ...template,
    id: newId(),
    slug,
    title: template.title.replace(/\d+$/, String(index)),
    category,
    tags,
    publishedAt,
    createdAt: now,
    updatedAt: now,
    body: { ...body, textTerms: body.textTerms.map(toSubject), titleTerms: body.titleTerms.map(toSubject) }
  }
}

async function sizeOf(directory: string): Promise<number> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true })
  const sizes = await Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map(async (entry) => (await stat(path.join(entry.parentPath, entry.name))).size)
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}

async function execute(command: Command): Promise<Reply> {
  switch (command.name) {
    case 'fill':
      await fill(command.target)
      return { bytes: mongodbUrl === undefined ? await sizeOf(folder) : null }
    case 'importPosts':
      await importPosts(command.first, command.count)
      return {}
    case 'usage': {
      const { user, system } = process.cpuUsage()
      return { cpuMs: (user + system) / 1000, rssBytes: process.memoryUsage.rss() }
    }
    case 'idle':
      await idle()
      return {}
    case 'addWebhooks':
      for (let i = 0; i < command.count; i++) await webhooks.create(ACCOUNT, { url: `${command.origin}/hook-${i}` })
      return {}
    case 'removeWebhooks':
      for (const { id } of await webhooks.list(ACCOUNT)) await webhooks.remove(ACCOUNT, id)
      return {}
    case 'close':
      await app.close()
      rmSync(folder, { recursive: true, force: true })
      return {}
  }
}

await accounts.ensure(ACCOUNT)
const UNLIMITED = 1e12
await accounts.update(ACCOUNT, {
  requestsPerHour: 100_000_000,
  storage: { bytes: UNLIMITED, blogs: UNLIMITED, products: UNLIMITED, images: UNLIMITED }
})
await projects.create(ACCOUNT, { id: PRODUCT_PROJECT, optimize: 'auto' })
const { key } = await apiKeys.create(ACCOUNT, { name: 'bench' })
const url = await app.listen({ port: 0, host: '127.0.0.1' })

let running = Promise.resolve()
process.on('message', (command: Command) => {
  running = running.then(async () => {
    process.send!({ reply: await execute(command) })
    if (command.name === 'close') process.disconnect?.()
  })
})
process.send!({ url, key })
