import { rmSync } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'
import path from 'node:path'
import { buildApp } from '../../app.ts'
import { ApiError } from '../../errors.ts'
import { prepareFiles } from '../../ports/files/open.ts'
import { mapConcurrently } from '../../lib/async.ts'
import { migrateStore } from '../../ports/store/open.ts'
import type { BlogRecord } from '../../ports/store/port.ts'
import { countCommands } from '../../test/fixtures/mongodb/command-counts.ts'
import { createImportedPost, createPost, createProduct } from './content.ts'
import { copyInFile, copyPost, type Copies } from './copies.ts'
import {
  ACCOUNT,
  BLOG_PROJECT,
  differenceOf,
  PRODUCT_PROJECT,
  type Command,
  type FillPhase,
  type Reply
} from './protocol.ts'
import { temporaryFolder } from '../harness/temporary-folder.ts'

/**
 * The service of the growth benchmark, in a process of its own: its CPU time and memory are those of
 * the service alone. Executes commands that arrive as process messages, one at a time.
 */
const mongodbUrl =
  process.env.MONGODB_URL === undefined
    ? undefined
    : `${process.env.MONGODB_URL}bench_growth_${process.pid}?monitorCommands=true`
const sentCommands = mongodbUrl === undefined ? null : countCommands()
const folder = temporaryFolder('bench-growth')
if (mongodbUrl !== undefined) {
  await migrateStore({ mongodbUrl })
  await prepareFiles({ mongodbUrl })
}
const startApp = async () =>
  await buildApp({
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
let app = await startApp()
const WRITER = { accountId: ACCOUNT, projectIds: null }
/** Attempts to import a post. */
const ATTEMPTS = 5
/** Posts of one request of an import. */
const IMPORTED_AT_ONCE = 50
/** Posts and products that are imported. Those above are copies: see `copies.ts`. Imports over MongoDB take longer. */
const IMPORTED = Number(process.env.IMPORTED ?? (mongodbUrl === undefined ? 10_000 : 1_000))
/** Posts and products that are copied. */
const TEMPLATES = 500
/** Posts that are copied at once over MongoDB. */
const COPIED_AT_ONCE = 200
const filled = { posts: 0, products: 0, accounts: 0 }

async function fill(target: { posts: number; products: number; accounts: number }): Promise<FillPhase[]> {
  const phases: FillPhase[] = []

  async function measure(name: string, count: number, run: () => Promise<void>): Promise<void> {
    if (count <= 0) return
    const [before, start] = [await usage(), performance.now()]
    const stored = await storedBytes()
    await run()
    await idle()
    const after = await usage()
    phases.push({
      name,
      count,
      seconds: (performance.now() - start) / 1000,
      cpuMs: after.cpuMs - before.cpuMs,
      writtenBytes: differenceOf(after.writtenBytes, before.writtenBytes),
      commands: differenceOf(after.commands, before.commands),
      storedBytes: differenceOf(await storedBytes(), stored)
    })
  }

  // Neighbors: accounts with one post each.
  await measure('neighbors', target.accounts - filled.accounts, async () => {
    for (; filled.accounts < target.accounts; filled.accounts++) {
      const accountId = `neighbor-${filled.accounts}`
      await app.services.accounts.ensure(accountId)
      await app.services.blogs.create({ accountId, projectIds: null }, createPost(filled.accounts, BLOG_PROJECT))
    }
  })
  const imported = Math.min(target.posts, IMPORTED)
  await measure('posts', imported - filled.posts, async () => await importPosts(filled.posts, imported - filled.posts))
  filled.posts = Math.max(filled.posts, imported)
  const batched = mongodbUrl === undefined ? Math.min(target.products, IMPORTED) : target.products
  await measure('products', batched - filled.products, async () => {
    while (filled.products < batched) {
      const count = Math.min(1000, batched - filled.products)
      const batch = Array.from({ length: count }, (_, i) => createProduct(filled.products + i))
      await app.services.products.batch(WRITER, { projectId: PRODUCT_PROJECT, products: batch }, {})
      filled.products += count
    }
  })
  await measure('copies of posts', target.posts - filled.posts, async () => {
    const copies = { templates: await postTemplates(), first: filled.posts, end: target.posts }
    await (mongodbUrl === undefined ? copyToFile({ posts: copies }) : copyPosts(copies))
    filled.posts = target.posts
  })
  await measure('copies of products', target.products - filled.products, async () => {
    const page = { page: 1, pageSize: TEMPLATES }
    const { products } = await app.store.products.list({ ...WRITER, projectId: PRODUCT_PROJECT }, page)
    await copyToFile({ products: { templates: products, first: filled.products, end: target.products } })
    filled.products = target.products
  })
  return phases
}

async function postTemplates(): Promise<BlogRecord[]> {
  const oldest = { ...WRITER, status: 'published', sort: 'publishedAt' } as const
  return (await app.store.blogs.list(oldest, { page: 1, pageSize: TEMPLATES, withBody: true })).blogs as BlogRecord[]
}

/** The file of the store has one user: the service stops meanwhile. */
async function copyToFile(copies: Parameters<typeof copyInFile>[1]): Promise<void> {
  await app.close()
  copyInFile(path.join(folder, 'store.db'), copies)
  app = await startApp()
  await app.listen({ port: 0, host: '127.0.0.1' })
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
    for (let left = items, attempt = 1; left.length > 0; attempt++) {
      const results = await app.services.blogImport.importBlogs(WRITER, BLOG_PROJECT, left)
      const failed = new Map(results.filter(({ result }) => result === 'failed').map((one) => [one.index, one.errors]))
      left = left.filter(({ index }) => failed.has(index))
      // While other programs use the machine, rendering may exceed its time.
      if (failed.size > 0 && attempt === ATTEMPTS) throw new Error(JSON.stringify([...failed]))
    }
  })
}

async function copyPosts({ templates, first, end }: Copies<BlogRecord>): Promise<void> {
  for (let start = first; start < end; start += COPIED_AT_ONCE) {
    const indexes = Array.from({ length: Math.min(COPIED_AT_ONCE, end - start) }, (_, i) => start + i)
    const copies = indexes.map((index) => ({ blog: copyPost(templates[index % templates.length]!, index), events: [] }))
    const failed = (await app.store.blogs.addMany(copies)).find((error) => error !== null)
    if (failed !== undefined) throw failed
  }
  await storeTotals()
}

/** Commands in a second after which nothing is added to the totals any more. */
const FEW_COMMANDS = 20

/** Copies are added to the stored totals in the background, once lists are read. Acts are measured after that. */
async function storeTotals(): Promise<void> {
  const page = { page: 1, pageSize: 1, withBody: false }
  for (let sent = Infinity; sent > FEW_COMMANDS; ) {
    const before = sentCommands!.store()
    await app.store.blogs.list({ ...WRITER, status: 'published' }, page)
    await wait(1_000)
    sent = sentCommands!.store() - before
  }
}

/** CPU time of all threads, memory, bytes given to the disk and commands. */
async function usage() {
  const { user, system } = process.cpuUsage()
  const io = process.platform === 'linux' ? await readFile('/proc/self/io', 'utf8') : ''
  const written = /^write_bytes: (\d+)$/m.exec(io)?.[1]
  return {
    cpuMs: (user + system) / 1000,
    rssBytes: process.memoryUsage.rss(),
    writtenBytes: written === undefined ? null : Number(written),
    commands: sentCommands === null ? null : sentCommands.store() + sentCommands.files()
  }
}

const storedBytes = async (): Promise<number | null> => (mongodbUrl === undefined ? await sizeOf(folder) : null)

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
      return { phases: await fill(command.target), bytes: await storedBytes(), url: app.listeningOrigin }
    case 'importPosts':
      await importPosts(command.first, command.count)
      return {}
    case 'usage':
      return await usage()
    case 'idle':
      await idle()
      return {}
    case 'addWebhooks':
      for (let i = 0; i < command.count; i++) {
        await app.services.webhooks.create(ACCOUNT, { url: `${command.origin}/hook-${i}` })
      }
      return {}
    case 'removeWebhooks':
      for (const { id } of await app.services.webhooks.list(ACCOUNT)) await app.services.webhooks.remove(ACCOUNT, id)
      return {}
    case 'close':
      await app.close()
      rmSync(folder, { recursive: true, force: true })
      return {}
  }
}

await app.services.accounts.ensure(ACCOUNT)
const UNLIMITED = 1e12
await app.services.accounts.update(ACCOUNT, {
  requestsPerHour: 100_000_000,
  storage: { bytes: UNLIMITED, blogs: UNLIMITED, products: UNLIMITED, images: UNLIMITED }
})
await app.services.projects.create(ACCOUNT, { id: PRODUCT_PROJECT, optimize: 'auto' })
const { key } = await app.services.apiKeys.create(ACCOUNT, { name: 'bench' })
const url = await app.listen({ port: 0, host: '127.0.0.1' })

let running = Promise.resolve()
process.on('message', (command: Command) => {
  running = running.then(async () => {
    process.send!({ reply: await execute(command) })
    if (command.name === 'close') process.disconnect?.()
  })
})
process.send!({ url, key })
