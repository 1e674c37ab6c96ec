import { copyFileSync, fstatSync, mkdirSync, statSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { createCheckpoints } from '../../../../ports/store/sqlite/checkpoints.ts'
import { openDatabase } from '../../../../ports/store/sqlite/database.ts'
import { durableStore } from '../../../../ports/store/sqlite/durable-store.ts'
import { createSqliteStore } from '../../../../ports/store/sqlite/index.ts'
import { DISK, type Disk } from '../../../../ports/store/sqlite/log-flushes.ts'
import { buildBlog } from '../../../contracts/store/fixtures/content.ts'

/** About 250 pages. */
const LARGE = 'x'.repeat(1_000_000)
/** More than make a checkpoint due. */
const BLOGS = 24

/** A store in a file. Flushes of the log succeed at once, and those of the file when the test lets them. */
function openWithDisk(t: Test) {
  const folder = t.testdir()
  const file = path.join(folder, 'store.db')
  const flushes: ReturnType<typeof Promise.withResolvers<void>>[] = []
  const flushedNow: number[] = []
  const flushed: ('file' | 'log')[] = []
  const isFile = (descriptor: number) => fstatSync(descriptor).ino === statSync(file).ino
  const disk: Disk = {
    async sync(descriptor) {
      flushed.push(isFile(descriptor) ? 'file' : 'log')
      if (!isFile(descriptor)) return
      const flush = Promise.withResolvers<void>()
      flushes.push(flush)
      await flush.promise
    },
    syncNow(descriptor) {
      if (isFile(descriptor)) flushedNow.push(logBytes())
      else throw new Error('Only the file is flushed in the event loop')
    }
  }
  const db = openDatabase(file, { disk })
  const store = durableStore(createSqliteStore(db), db)
  t.teardown(async () => {
    for (const { resolve } of flushes) resolve()
    await store.close()
  })
  const ids: string[] = []
  /** Adds large blogs until a flush of the file has begun. */
  async function fill(): Promise<void> {
    for (let count = 0; count < BLOGS && flushes.length === 0; count++) {
      const blog = buildBlog({ body: { html: LARGE } })
      await store.blogs.add(blog)
      ids.push(blog.id)
    }
    while (flushes.length === 0) await setTimeout(1)
  }
  /** The blogs after a crash of the machine that left the file as it was at `before`, and the log as it is. */
  function afterCrash(before: string): string[] {
    const crashed = path.join(folder, 'crashed')
    mkdirSync(crashed)
    copyFileSync(before, path.join(crashed, 'store.db'))
    copyFileSync(`${file}-wal`, path.join(crashed, 'store.db-wal'))
    const opened = new DatabaseSync(path.join(crashed, 'store.db'))
    const rows = opened.prepare('SELECT id FROM blogs ORDER BY id').all() as { id: string }[]
    const [{ integrity_check: result }] = opened.prepare('PRAGMA integrity_check').all() as [
      { integrity_check: string }
    ]
    opened.close()
    return result === 'ok' ? rows.map(({ id }) => id) : [result]
  }
  const before = path.join(folder, 'before.db')
  copyFileSync(file, before)
  const logBytes = () => statSync(`${file}-wal`).size
  return { db, store, flushes, flushed, flushedNow, fill, ids, before, afterCrash, logBytes }
}

t.test('while the file is flushed, reads continue, and writes wait', async (t) => {
  const { store, flushes, flushed, fill, ids, before, afterCrash, logBytes } = openWithDisk(t)
  await fill()
  t.same(flushed, [...ids.map(() => 'log'), 'file'], 'first the log, with the last change')
  t.ok(ids.length > 12 && ids.length < BLOGS, `${ids.length} blogs until the first checkpoint`)
  const [blog, other] = [buildBlog(), buildBlog()]
  let added = 0
  const adding = [blog, other].map(async (one) => {
    await store.blogs.add(one)
    added++
  })
  await setTimeout(100)
  t.equal(added, 0)
  t.equal(await store.blogs.find('acme', blog.id), null)
  t.equal((await store.blogs.find('acme', ids[0]!))?.id, ids[0])
  t.same(afterCrash(before), ids.toSorted(), 'the log has all that was confirmed')
  const bytes = logBytes()
  flushes[0]!.resolve()
  await Promise.all(adding)
  t.equal((await store.blogs.find('acme', blog.id))?.id, blog.id)
  t.equal(logBytes(), bytes, 'the log begins again')
})

t.test('a write that does not wait flushes the file itself', async (t) => {
  const { db, store, fill, ids, flushes, flushedNow } = openWithDisk(t)
  await fill()
  db.run('CREATE TABLE changes (n INTEGER)')
  t.equal(flushedNow.length, 1)
  t.equal(db.one<{ count: number }>('SELECT count(*) AS count FROM blogs')?.count, ids.length)
  flushes[0]!.resolve()
  await store.blogs.add(buildBlog())
  t.equal(db.one<{ count: number }>('SELECT count(*) AS count FROM blogs')?.count, ids.length + 1)
})

t.test('after the file could not be flushed, nothing is written, and the log remains', async (t) => {
  const { store, flushes, fill, ids, before, afterCrash } = openWithDisk(t)
  await fill()
  flushes[0]!.reject(Object.assign(new Error('I/O error'), { code: 'EIO' }))
  await setTimeout(10)
  await t.rejects(store.blogs.add(buildBlog()), { code: 'unavailable', statusCode: 503, cause: { code: 'EIO' } })
  await t.rejects(store.probe(), { code: 'unavailable' })
  t.equal((await store.blogs.find('acme', ids[0]!))?.id, ids[0])
  await store.close()
  t.same(afterCrash(before), ids.toSorted())
})

t.test('closing during a flush loses nothing', async (t) => {
  const { store, fill, ids, flushes, flushedNow, before } = openWithDisk(t)
  await fill()
  const pending = store.blogs.add(buildBlog())
  const rejected = t.rejects(pending, { code: 'unavailable' })
  await store.close()
  t.equal(flushedNow.length, 1, 'the file is flushed before the log is deleted')
  flushes[0]!.resolve()
  await rejected
  const opened = new DatabaseSync(before.replace('before.db', 'store.db'))
  t.equal(opened.prepare('SELECT count(*) AS count FROM blogs').get()!.count, ids.length)
  opened.close()
})

t.test('a checkpoint that a full disk prevents is tried again later', async (t) => {
  const file = path.join(t.testdir({ file: '' }), 'file')
  let attempts = 0
  const checkpoints = createCheckpoints({
    path: file,
    disk: DISK,
    log: () => ({ pages: 5_000, copied: 0 }),
    copyPages() {
      attempts++
      throw Object.assign(new Error('database or disk is full'), { errcode: 13 })
    },
    flushLog: async () => {},
    writes: () => 0
  })
  const write = async () => {
    checkpoints.beforeWrite()
    await checkpoints.write(async () => {})
  }
  await write()
  await setTimeout(50)
  t.equal(attempts, 1)
  await write()
  await setTimeout(50)
  t.equal(attempts, 1, 'not at once')
  await setTimeout(1_000)
  await write()
  await setTimeout(50)
  t.equal(attempts, 2)
  t.equal(await checkpoints.beforeClose(), true, 'nothing has to be flushed')
  checkpoints.afterClose()
})
