import { spawnSync } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { runAsOwner } from '../../../../lib/async.ts'
import { openDatabase } from '../../../../ports/store/sqlite/database.ts'
import { durableStore } from '../../../../ports/store/sqlite/durable-store.ts'
import { createSqliteStore } from '../../../../ports/store/sqlite/index.ts'
import { createThreadCheckpoints } from '../../../../ports/store/sqlite/thread-checkpoints.ts'
import { buildBlog } from '../../../contracts/store/fixtures/content.ts'
import { eventually } from '../../../fixtures/webhooks/receiver.ts'

/** About 250 pages. */
const LARGE = 'x'.repeat(1_000_000)
const PAGE_BYTES = 4_096
/** More pages than this are never in the log (`FORCED_PAGES`). */
const MAX_LOG_PAGES = 40_000

const readElsewhere = (file: string): string => {
  const script = `import { DatabaseSync } from 'node:sqlite'
    console.log(new DatabaseSync(${JSON.stringify(file)}).prepare('SELECT count(*) AS count FROM blogs').get().count)`
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' })
  return stdout.trim() || (/database is locked/.exec(stderr)?.[0] ?? stderr)
}

t.test('the log begins again while many write, and nothing is lost', async (t) => {
  const file = path.join(t.testdir(), 'store.db')
  const db = openDatabase(file, { hasThread: true })
  const store = durableStore(createSqliteStore(db), db)
  const log = `${file}-wal`
  const ids: string[] = []
  let most = 0
  let hasBegunAgain = false
  const before = statSync(file).size
  async function write(): Promise<void> {
    while (!hasBegunAgain && ids.length < 400) {
      const blog = buildBlog({ body: { html: LARGE } })
      await store.blogs.add(blog)
      ids.push(blog.id)
      const { size } = statSync(log)
      // The log keeps its size when it begins again.
      if (ids.length * 250 * PAGE_BYTES > size + 40_000_000) hasBegunAgain = true
      most = Math.max(most, size)
    }
  }
  await Promise.all([write(), write(), write()])
  t.ok(hasBegunAgain, `${ids.length} blogs, and a log of ${most} bytes`)
  t.ok(most < MAX_LOG_PAGES * PAGE_BYTES, 'SQLite did not have to make a checkpoint in the event loop')
  t.ok(statSync(file).size > before + 20_000_000, 'pages were copied to the file')
  t.equal(readElsewhere(file), 'database is locked', 'the thread has not released the lock of the process')
  t.equal((await store.blogs.find('acme', ids.at(-1)!))?.id, ids.at(-1))
  await store.close()
  t.notOk(existsSync(log))
  t.equal(readElsewhere(file), String(ids.length))
  const opened = new DatabaseSync(file)
  t.match(opened.prepare('PRAGMA integrity_check').all(), [{ integrity_check: 'ok' }])
  opened.close()
})

t.test('a store that is closed while pages are copied loses nothing', async (t) => {
  const file = path.join(t.testdir(), 'store.db')
  const db = openDatabase(file, { hasThread: true })
  const store = durableStore(createSqliteStore(db), db)
  let count = 0
  for (; count < 24; count++) await store.blogs.add(buildBlog({ body: { html: LARGE } }))
  await store.close()
  t.equal(readElsewhere(file), String(count))
})

interface WriteOptions {
  isPartOfRequest?: boolean
  /** The write ends after this. */
  end?: Promise<void>
}

/** Checkpoints of a log that the test fills, and a thread whose copies end when the test lets them. */
function openWithCopier(t: Test) {
  const log = { pages: 0, copied: 0 }
  const copies: { resolve: () => void; reject: (error: unknown) => void }[] = []
  let syncs = 0
  const disk: { error: Error | null } = { error: null }
  const checkpoints = createThreadCheckpoints(
    {
      path: path.join(t.testdir({ file: '' }), 'file'),
      log: () => ({ ...log }),
      async flushLog() {
        if (disk.error !== null) throw disk.error
      },
      disk: {
        async sync() {
          syncs += 1
        },
        syncNow() {
          throw new Error('Nothing is flushed in the event loop')
        }
      }
    },
    {
      async copy() {
        const { promise, resolve, reject } = Promise.withResolvers<void>()
        copies.push({ resolve, reject })
        const { pages } = log
        await promise
        log.copied = pages
      },
      close: async () => {}
    }
  )
  t.teardown(() => checkpoints.afterClose())
  const write = async (
    owner: string,
    pages: number,
    { isPartOfRequest = false, end }: WriteOptions = {}
  ): Promise<void> => {
    await runAsOwner(
      owner,
      async () =>
        await checkpoints.write(async () => {
          await end
          checkpoints.beforeWrite()
          if (log.pages === log.copied) Object.assign(log, { pages: 0, copied: 0 })
          log.pages += pages
          checkpoints.afterWrite()
        }, isPartOfRequest)
    )
  }
  const ends = async (promise: Promise<unknown>): Promise<boolean> =>
    await Promise.race([promise.then(() => true), setTimeout(50, false)])
  return { checkpoints, disk, log, copies, write, ends, syncs: () => syncs }
}

/** The same when the log has become long, and the pages are being copied beside writes: the second copy. */
async function openWithLongLog(t: Test) {
  const opened = openWithCopier(t)
  const { copies, write } = opened
  await write('a', 4_000)
  await write('a', 100)
  copies[0]!.resolve()
  await setTimeout(10)
  await write('a', 8_000)
  t.equal(copies.length, 2)
  return opened
}

t.test('pages are copied while others write, and then flushed', async (t) => {
  const { copies, write, ends, log, syncs } = openWithCopier(t)
  await write('a', 3_999)
  t.equal(copies.length, 0)
  await write('a', 1)
  t.equal(copies.length, 1)
  t.ok(await ends(write('a', 10)))
  copies[0]!.resolve()
  await eventually(() => syncs() === 1, 'a flush')
  t.same(log, { pages: 4_010, copied: 4_000 })
  t.equal(copies.length, 1, 'the next copy is made when much is left')
})

t.test('the owner that writes faster than the disk waits, and others do not', async (t) => {
  const { checkpoints, copies, write, ends } = openWithCopier(t)
  await write('small', 100)
  await write('large', 4_000)
  t.ok(await ends(write('large', 100)), 'while few pages are written')
  await write('large', 900)
  const [held, part] = [write('large', 1), write('large', 1, { isPartOfRequest: true })]
  t.ok(await ends(write('small', 1)))
  t.notOk(await ends(held))
  t.ok(await ends(part), 'a request that has begun is completed')
  const delay = runAsOwner('large', () => checkpoints.writeDelay())!
  const given = runAsOwner('large', () => checkpoints.writeDelay())!
  t.equal(
    runAsOwner('small', () => checkpoints.writeDelay()),
    null
  )
  t.notOk(await ends(delay.ready), 'and no other one begins')
  given.release()
  t.equal(await given.ready, false)
  copies[0]!.resolve()
  t.ok(await ends(held))
  t.equal(await delay.ready, true)
})

t.test('when the log is long, and few pages are left, all wait until these are copied', async (t) => {
  const { copies, write, ends, log } = await openWithLongLog(t)
  t.ok(await ends(write('b', 300)), 'b wrote')
  copies[1]!.resolve()
  await setTimeout(10)
  t.equal(copies.length, 3, 'the last pages')
  const held = write('b', 1)
  t.notOk(await ends(held))
  const part = write('b', 1, { isPartOfRequest: true })
  t.notOk(await ends(part))
  copies[2]!.resolve()
  t.ok(await ends(Promise.all([held, part])))
  t.same(log, { pages: 2, copied: 0 }, 'the log has begun again')
})

t.test('after an I/O error, nothing is written any more, and the log remains', async (t) => {
  const { checkpoints, copies, write } = openWithCopier(t)
  await write('a', 4_000)
  copies[0]!.reject(Object.assign(new Error('disk I/O error'), { errcode: 1034 }))
  await setTimeout(10)
  await t.rejects(write('a', 1), { code: 'unavailable', statusCode: 503 })
  t.equal(await checkpoints.beforeClose(), false)
})

t.test('after the log could not be flushed, no page is copied', async (t) => {
  const { checkpoints, copies, disk, write } = openWithCopier(t)
  disk.error = new Error('I/O error')
  await write('a', 4_000)
  await setTimeout(10)
  t.equal(copies.length, 0)
  await t.rejects(write('a', 1), { code: 'unavailable', statusCode: 503 })
  t.equal(await checkpoints.beforeClose(), false)
})

t.test('while all writes wait, a large one that began before does not let others begin', async (t) => {
  const { copies, write, ends, log } = await openWithLongLog(t)
  const { promise: end, resolve } = Promise.withResolvers<void>()
  const large = write('large', 1_200, { isPartOfRequest: true, end })
  await write('b', 100)
  copies[1]!.resolve()
  await setTimeout(5)
  const held = write('b', 1)
  resolve()
  await large
  t.notOk(await ends(held))
  copies[2]!.resolve()
  t.ok(await ends(held))
  t.same(log, { pages: 1, copied: 0 })
})

t.test('a copy that a full disk prevents is tried again later', async (t) => {
  const { checkpoints, copies, write } = openWithCopier(t)
  await write('a', 4_000)
  copies[0]!.reject(Object.assign(new Error('database or disk is full'), { errcode: 13 }))
  await setTimeout(10)
  await write('a', 4_000)
  t.equal(copies.length, 1, 'not at once')
  await setTimeout(1_000)
  await write('a', 1)
  t.equal(copies.length, 2)
  t.equal(await checkpoints.beforeClose(), true)
})

t.test('a thread that fails is reported, and writes go on', async (t) => {
  const { copies, write } = openWithCopier(t)
  const warnings: string[] = []
  const note = ({ message }: Error): void => {
    warnings.push(message)
  }
  process.on('warning', note)
  t.teardown(() => process.off('warning', note))
  await write('a', 4_000)
  copies[0]!.reject(new Error('The thread ended with exit code 1'))
  await setTimeout(10)
  await write('a', 1)
  t.same(warnings, ['The thread for checkpoints failed: The thread ended with exit code 1'])
})
