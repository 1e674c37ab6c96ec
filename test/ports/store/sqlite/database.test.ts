import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { runAsOwner } from '../../../../lib/async.ts'
import { processLoopUse } from '../../../../lib/loop-use.ts'
import { openStore } from '../../../../ports/store/open.ts'
import type { Store } from '../../../../ports/store/port.ts'
import { openDatabase } from '../../../../ports/store/sqlite/database.ts'
import { durableStore } from '../../../../ports/store/sqlite/durable-store.ts'
import { createSqliteStore } from '../../../../ports/store/sqlite/index.ts'
import { DISK } from '../../../../ports/store/sqlite/log-flushes.ts'
import { buildBlog, ACME, buildAccount, listed } from '../../../contracts/store/fixtures/content.ts'

const OPEN = resolve(import.meta.dirname, '../../../../ports/store/open.ts')
const CONTENT = resolve(import.meta.dirname, '../../../contracts/store/fixtures/content.ts')

/**
 * Starts another process that opens the store of the folder and runs this code. Its output is read
 * line by line.
 */
async function elsewhere(t: Test, dataDir: string, act: string) {
  const script = [
    `import { openStore } from ${JSON.stringify(OPEN)}`,
    `import { buildBlog } from ${JSON.stringify(CONTENT)}`,
    `const store = await openStore({ dataDir: ${JSON.stringify(dataDir)} })`,
    act
  ].join('; ')
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'ignore'] })
  const ended = once(child, 'exit').then(([code]) => code as number | null)
  t.teardown(() => child.kill('SIGKILL'))
  const lines: string[] = []
  let rest = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const parts = (rest + text).split('\n')
    rest = parts.pop() ?? ''
    lines.push(...parts)
  })
  /** Waits until it has said so many lines. */
  const said = async (count: number) => {
    while (lines.length < count) await once(child.stdout, 'data')
  }
  const kill = async () => {
    child.kill('SIGKILL')
    await ended
    if (!child.stdout.destroyed) await once(child.stdout, 'close')
  }
  return { lines, said, kill, ended }
}

async function opened(t: Test, dataDir: string): Promise<Store> {
  const store = await openStore({ dataDir })
  t.teardown(() => store.close())
  return store
}

const startError = (words: RegExp) => ({ name: 'StartError', message: words })

t.test('the default store is a file in a data folder with owner-only permissions', async (t) => {
  const dataDir = join(t.testdir(), 'new', 'data')
  await opened(t, dataDir)
  t.equal(statSync(dataDir).mode & 0o777, 0o700)
  for (const name of readdirSync(dataDir)) t.equal(statSync(join(dataDir, name)).mode & 0o777, 0o600, name)
  t.ok(readdirSync(dataDir).includes('store.db'))
})

t.test('a database URL is rejected with a clear error', async (t) => {
  await t.rejects(openStore({ dataDir: t.testdir(), mongodbUrl: 'mongodb://localhost' }), startError(/MongoDB/))
})

t.test('a data folder can only be opened once, in this process or another', async (t) => {
  const dataDir = t.testdir()
  const words = startError(new RegExp(`^The data folder ${dataDir} is in use by another process`))
  const first = await openStore({ dataDir })
  await t.rejects(openStore({ dataDir }), words)
  const refused = await elsewhere(t, dataDir, '').then(async ({ ended }) => await ended)
  t.equal(refused, 1, 'nor has the refused opening lifted the lock of the first')
  await first.accounts.insertIfAbsent(buildAccount('acme'))
  await first.close()

  const other = await elsewhere(t, dataDir, 'console.log("open"); setInterval(() => store, 1000)')
  await other.said(1)
  await t.rejects(openStore({ dataDir }), words)
  await other.kill()
  const again = await opened(t, dataDir)
  t.strictSame(await again.accounts.find('acme'), buildAccount('acme'))
})

t.test('a store that was only read locks its data folder', async (t) => {
  const dataDir = t.testdir()
  await (await openStore({ dataDir })).close()
  const other = await elsewhere(
    t,
    dataDir,
    'await store.accounts.find("acme"); console.log("open"); setInterval(() => store, 1000)'
  )
  await other.said(1)
  await t.rejects(openStore({ dataDir }), startError(/is in use/))
})

t.test('a killed process loses no acknowledged write and leaves no partial one', async (t) => {
  const dataDir = t.testdir()
  const writer = await elsewhere(
    t,
    dataDir,
    `
    for (let count = 0; ; count++) {
      const blog = buildBlog({ tags: ['a'] })
      await store.blogs.add(blog)
      process.stdout.write(blog.id + '\\n')
      if (count % 20 === 0) await new Promise((resolve) => setImmediate(resolve))
    }`
  )
  await writer.said(50)
  await writer.kill()
  const store = await opened(t, dataDir)
  for (const id of writer.lines) if ((await store.blogs.find('acme', id)) === null) t.fail(`lost ${id}`)
  const { total } = await listed(store)
  t.ok(total >= writer.lines.length)
  t.equal((await listed(store, { tag: 'a' })).total, total)
  t.equal((await listed(store, { terms: ['hi'] })).total, total)
  t.equal((await store.blogs.vectors('acme', { afterId: null, limit: 1_000_000 })).length, total)
})

t.test('a store of a newer version is rejected and not changed', async (t) => {
  const dataDir = t.testdir()
  await (await openStore({ dataDir })).close()
  const file = new DatabaseSync(join(dataDir, 'store.db'))
  file.exec('PRAGMA user_version = 99')
  file.close()
  await t.rejects(openStore({ dataDir }), startError(/newer version/))
  await t.rejects(openStore({ dataDir }), startError(/newer version/), 'the refused opening holds no lock')
})

t.test('an invalid or unreadable database file is rejected with a clear error', async (t) => {
  const dataDir = t.testdir({
    'store.db': 'this is not a database, but a text that is long enough to be looked at'.repeat(20)
  })
  await t.rejects(openStore({ dataDir }), startError(/damaged/))
  const folder = join(t.testdir(), 'b')
  mkdirSync(join(folder, 'store.db'), { recursive: true })
  await t.rejects(openStore({ dataDir: folder }), startError(/cannot be opened/))
  writeFileSync(join(folder, 'file'), '')
  await t.rejects(openStore({ dataDir: join(folder, 'file') }), startError(/cannot be opened/))
})

t.test('a full disk rejects writes as unavailable and loses no data', async (t) => {
  const db = openDatabase(join(t.testdir(), 'store.db'))
  const store = createSqliteStore(db)
  t.teardown(() => store.close())
  const blog = buildBlog()
  await store.blogs.add(blog)
  db.one(`PRAGMA max_page_count = ${db.one<{ page_count: number }>('PRAGMA page_count')?.page_count}`)
  const large = buildBlog({ tags: ['large'], body: { html: 'x'.repeat(1_000_000) } })
  await t.rejects(store.blogs.add(large), { code: 'unavailable', statusCode: 503, retryable: true, cause: Error })
  t.strictSame(await store.blogs.find('acme', blog.id), blog)
  t.strictSame(await listed(store, { status: 'any' }), { slugs: [blog.slug], total: 1 })
  db.one('PRAGMA max_page_count = 1000000')
  await store.blogs.add(large)
  t.strictSame((await store.blogs.resolveSlug(ACME, large.slug))?.kind, 'blog')
})

t.test('deferred changes are flushed once', async (t) => {
  const folder = t.testdir()
  const syncs: number[] = []
  const db = openDatabase(join(folder, 'store.db'), {
    disk: {
      ...DISK,
      async sync(descriptor) {
        syncs.push(descriptor)
      }
    }
  })
  t.teardown(() => db.close())
  db.run('CREATE TABLE changes (n INTEGER)')
  const change = (n: number) => db.deferredTransaction(() => db.run('INSERT INTO changes VALUES (?)', n))
  t.equal(change(1), 1)
  t.equal(change(2), 1)
  t.equal(syncs.length, 0)
  while (syncs.length === 0) await setTimeout(50)
  await setTimeout(1500)
  t.equal(syncs.length, 1, 'once')
  change(3)
  while (syncs.length === 1) await setTimeout(50)
  t.same(
    db.all<{ n: number }>('SELECT n FROM changes').map(({ n }) => n),
    [1, 2, 3]
  )
  change(4)
  await db.close()
  await setTimeout(1500)
  t.equal(new DatabaseSync(join(folder, 'store.db')).prepare('SELECT count(*) AS n FROM changes').get()!.n, 4)
})

/** A store whose disk responds only when the test lets it. */
function openWithDisk(t: Test) {
  const waiting: ReturnType<typeof Promise.withResolvers<void>>[] = []
  const db = openDatabase(join(t.testdir(), 'store.db'), {
    disk: {
      ...DISK,
      async sync() {
        const flush = Promise.withResolvers<void>()
        waiting.push(flush)
        await flush.promise
      }
    }
  })
  const store = durableStore(createSqliteStore(db), db)
  t.teardown(() => store.close())
  return { store, waiting }
}

t.test('while changes wait for the disk, reads do not, and one flush suffices for many changes', async (t) => {
  const { store, waiting } = openWithDisk(t)
  const first = buildBlog()
  const added: string[] = []
  const add = async (blog: typeof first) => {
    await store.blogs.add(blog)
    added.push(blog.id)
  }
  const one = add(first)
  await setTimeout(50)
  const more = Promise.all([add(buildBlog()), add(buildBlog()), add(buildBlog())])
  await setTimeout(50)
  t.equal(waiting.length, 1, 'the flush of the first change is in progress')
  t.same(added, [], 'no change is confirmed before it is on the disk')
  t.equal((await store.blogs.find('acme', first.id))?.id, first.id, 'reads see the change')
  waiting[0]!.resolve()
  await one
  t.same(added, [first.id])
  await setTimeout(20)
  t.equal(waiting.length, 2, 'one flush for the three others')
  waiting[1]!.resolve()
  await more
  t.equal(added.length, 4)
  await store.blogs.find('acme', first.id)
  t.equal(waiting.length, 2, 'a read needs no flush')
})

t.test('work with deferred durability does not wait for the disk, until it asks for that', async (t) => {
  const { store, waiting } = openWithDisk(t)
  let isDurable = false
  const work = store.deferDurability(async () => {
    await store.blogs.add(buildBlog())
    await store.blogs.add(buildBlog())
    t.equal(waiting.length, 0)
    await store.durable()
    isDurable = true
    await store.blogs.add(buildBlog())
  })
  await setTimeout(50)
  t.equal(waiting.length, 1)
  t.not(isDurable, true)
  waiting[0]!.resolve()
  await setTimeout(50)
  t.ok(isDurable)
  t.equal(waiting.length, 2, 'changes after that wait')
  waiting[1]!.resolve()
  await work
})

t.test('a disk that fails rejects the changes that wait, all later ones, and the probe', async (t) => {
  const { store, waiting } = openWithDisk(t)
  const unavailable = { code: 'unavailable', statusCode: 503, cause: { code: 'EIO' } }
  const [one, two] = [store.blogs.add(buildBlog()), store.blogs.add(buildBlog())]
  const rejected = [t.rejects(one, unavailable), t.rejects(two, unavailable)]
  await setTimeout(20)
  waiting[0]!.reject(Object.assign(new Error('I/O error'), { code: 'EIO' }))
  await Promise.all(rejected)
  await t.rejects(store.blogs.add(buildBlog()), unavailable)
  await t.rejects(store.probe(), unavailable)
  t.equal(waiting.length, 1)
})

t.test('the time of statements counts as used by the account for which they run', async (t) => {
  const db = openDatabase(join(t.testdir(), 'store.db'))
  t.teardown(() => db.close())
  const COUNT =
    'WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2_000_000) SELECT sum(i) FROM n'
  const before = processLoopUse.measuredMs()
  const startedMs = performance.now()
  runAsOwner('acme', () => db.transaction(() => db.one(COUNT)))
  const ms = performance.now() - startedMs
  const measuredMs = processLoopUse.measuredMs() - before
  t.ok(measuredMs > ms / 2 && measuredMs <= ms, `${measuredMs} of ${ms} ms`)
  t.equal(processLoopUse.isLight('acme'), false)
  t.equal(processLoopUse.isLight('other'), true)
})
