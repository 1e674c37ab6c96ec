import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import { type Db, MongoClient } from 'mongodb'
import t, { type Test } from 'tap'
import { createBlobs } from '../../../ports/files/gridfs/blobs.ts'
import { BLOBS, UNREFERENCED_BLOBS } from '../../../ports/files/gridfs/database.ts'
import { openGridfsFiles, prepareGridfs } from '../../../ports/files/gridfs/index.ts'
import type { Files } from '../../../ports/files/port.ts'
import { runCase } from '../../contracts/contract.ts'
import { filesContract } from '../../contracts/files.contract.ts'
import { runAndKill } from '../../fixtures/files/run-and-kill.ts'
import { createSeededRandom } from '../../fixtures/seeded-random.ts'
import { MONGODB_URL } from '../../profile.ts'

t.test(
  'files in MongoDB',
  { skip: MONGODB_URL === undefined ? 'TEST_MONGODB_URL is not set' : false, timeout: 300_000 },
  async (t) => {
    const url = `${MONGODB_URL!}files_${randomUUID().replaceAll('-', '')}`
    const client = new MongoClient(url)
    const db: Db = client.db()
    t.teardown(async () => {
      await db.dropDatabase()
      await client.close()
    })
    const empty = async () => {
      for (const { name } of await db.listCollections({}, { nameOnly: true }).toArray()) {
        await db.collection(name).deleteMany({})
      }
    }

    await t.test('are not opened before the database was migrated, and opening creates no index', async (t) => {
      await t.rejects(openGridfsFiles({ url }), { name: 'StartError', message: /svc -- migrate/ })
      t.same(await prepareGridfs({ url }), [
        'files.by_blob',
        'files_unreferenced_blobs.by_expiry',
        'files_blobs.files.filename_1_uploadDate_1',
        'files_blobs.chunks.files_id_1_n_1'
      ])
      t.same(await prepareGridfs({ url }), [], 'the second run creates nothing')
    })

    for (const one of filesContract) {
      await t.test(one.title, async (t) => {
        await empty()
        await runCase(one, () => openGridfsFiles({ url }), 30_000)
        t.pass()
      })
    }

    const LARGE = Buffer.alloc(2_500_000, 'abc')

    await t.test(
      'a reader of a replaced or removed file reads to the end, and the bytes are deleted later',
      async (t) => {
        await empty()
        const [one, other] = [await openGridfsFiles({ url }), await openGridfsFiles({ url })]
        t.teardown(async () => {
          await one.close()
          await other.close()
        })
        await one.put('a', LARGE)
        const stream = (await one.stream('a'))!
        stream.read(1)
        await other.put('a', Buffer.from('new'))
        await other.remove('a')
        t.equal((await buffer(stream)).length >= LARGE.length - 1, true)
        const blobs = createBlobs(db)
        await blobs.sweep(new Date())
        t.equal(await db.collection('files_blobs.files').countDocuments(), 2, 'not at once')
        await blobs.sweep(new Date(Date.now() + 3_601_000))
        t.equal(await db.collection('files_blobs.files').countDocuments(), 0)
        t.equal(await db.collection('files_blobs.chunks').countDocuments(), 0)
        t.equal(await db.collection('files_unreferenced_blobs').countDocuments(), 0)
      }
    )

    /**
     * Sweeps as if all uploads and reads had finished long ago. Resolves with the remaining blobs,
     * chunks and unreferenced blobs.
     */
    async function sweepAll(): Promise<{ blobs: number; chunks: number; unreferenced: number }> {
      await createBlobs(db).sweep(new Date(Date.now() + 25 * 3_600_000))
      const [blobs, unreferenced] = await Promise.all(
        [`${BLOBS}.files`, UNREFERENCED_BLOBS].map((name) => db.collection(name).countDocuments())
      )
      return {
        blobs: blobs!,
        chunks: (await db.collection(`${BLOBS}.chunks`).distinct('files_id')).length,
        unreferenced: unreferenced!
      }
    }

    async function opened(t: Test): Promise<Files> {
      await empty()
      const files = await openGridfsFiles({ url })
      t.teardown(() => files.close())
      return files
    }

    await t.test('incomplete uploads of a killed process are deleted, and referenced blobs are not', async (t) => {
      const files = await opened(t)
      const blobs = createBlobs(db)
      await blobs.write(LARGE)
      await blobs.files.insertOne({ _id: 'kept', ...(await blobs.write(Buffer.from('kept'))), putAt: new Date() })
      t.same(await sweepAll(), { blobs: 1, chunks: 1, unreferenced: 0 })
      t.same(await files.read('kept'), Buffer.from('kept'))
    })

    await t.test('the bytes of a file that was replaced before its put ended are deleted', async (t) => {
      await empty()
      const blobs = createBlobs(db)
      const { blob } = await blobs.write(LARGE)
      await blobs.markUnreferenced([blob]) // By the process that replaced the file.
      await blobs.markReferenced(blob)
      t.same(await sweepAll(), { blobs: 0, chunks: 0, unreferenced: 0 })
    })

    await t.test(
      'concurrent puts, replacements, removals and failures leave no unreferenced bytes behind',
      async (t) => {
        const files = await opened(t)
        const other = await openGridfsFiles({ url })
        t.teardown(() => other.close())
        const broken = () =>
          Readable.from(
            (async function* () {
              yield LARGE
              throw new Error('broken')
            })(),
            { objectMode: false }
          )
        await Promise.allSettled(
          Array.from({ length: 40 }, async (_, index) => {
            const one = index % 2 === 0 ? files : other
            if (index % 10 === 3) await one.remove('a/same')
            else if (index % 10 === 7) await one.removeAll('a')
            else if (index % 10 === 5) await one.put('a/same', broken())
            else await one.put(index % 3 === 0 ? `a/${index}` : 'a/same', Buffer.from(`version ${index}`))
          })
        )
        await files.put('a/same', Buffer.from('last'))
        await files.put('b', LARGE)
        const count = (await files.list({ afterKey: null, limit: 100 })).length
        t.same(await sweepAll(), { blobs: count, chunks: count, unreferenced: 0 })
        t.same(await files.read('a/same'), Buffer.from('last'))
        t.ok(LARGE.equals((await files.read('b')) ?? Buffer.alloc(0)))
      }
    )

    await t.test('many files with one prefix are removed and their bytes are deleted', async (t) => {
      const files = await opened(t)
      for (let first = 0; first < 125; first += 25) {
        await Promise.all(Array.from({ length: 25 }, (_, index) => files.put(`a/${first + index}`, Buffer.from('x'))))
      }
      await files.put('b/1', Buffer.from('x'))
      await files.removeAll('a')
      t.same(
        (await files.list({ afterKey: null, limit: 10 })).map(({ key }) => key),
        ['b/1']
      )
      t.same(await sweepAll(), { blobs: 1, chunks: 1, unreferenced: 0 })
    })

    await t.test('a file with a missing chunk is never read as complete', async (t) => {
      const files = await opened(t)
      await files.put('a', LARGE)
      for (const n of [2, 1, 0]) {
        await db.collection(`${BLOBS}.chunks`).deleteOne({ n })
        await t.rejects(files.read('a'), /missing/)
        await t.rejects(buffer((await files.stream('a'))!), /missing/)
      }
      await t.rejects(buffer((await files.stream('a', { start: 5, end: 6 }))!), /missing/)
    })

    await t.test(
      'a destroyed reader leaves no cursor open, and other readers fetch few chunks at a time',
      async (t) => {
        const files = await opened(t)
        const size = 6 * 1024 * 1024
        await files.put('a', Buffer.alloc(size, 'x'))
        const watched = new MongoClient(url, { monitorCommands: true })
        t.teardown(() => watched.close())
        const commands: string[] = []
        watched.on('commandStarted', ({ commandName }) => commands.push(commandName))
        const blobs = createBlobs(watched.db())
        const bytes = (await blobs.files.findOne({ _id: 'a' }))!
        const stream = blobs.read(bytes)
        await once(stream, 'readable')
        stream.destroy()
        await once(stream, 'close')
        for (let tries = 0; tries < 100 && !commands.includes('killCursors'); tries++) await wait(10)
        t.same(commands, ['find', 'find', 'killCursors'])
        t.equal((await buffer(blobs.read(bytes))).length, size)
        t.ok(commands.filter((name) => name === 'getMore').length >= 2)
      }
    )

    const seed = Date.now() % 2 ** 32
    await t.test(
      `a process that is killed at any time leaves one complete version of the file (seed ${seed})`,
      async (t) => {
        const files = await opened(t)
        const random = createSeededRandom(seed)
        const versions = { a: Buffer.alloc(400_000, 'a'), b: Buffer.alloc(250_000, 'b') }
        for (let round = 0; round < 3; round++) {
          await runAndKill(url, 'repeat', { lines: 1 + Math.floor(random() * 3), thenMs: random() * 40 })
          const bytes = (await files.read('a/b')) ?? Buffer.alloc(0)
          t.ok(versions.a.equals(bytes) || versions.b.equals(bytes), `round ${round}: ${bytes.length} bytes`)
        }
        t.same(await sweepAll(), { blobs: 1, chunks: 1, unreferenced: 0 })
        await runAndKill(url, 'incomplete')
        t.ok(((await files.read('a/b')) ?? Buffer.alloc(0)).length >= 250_000, 'an incomplete put changes nothing')
        t.same(await sweepAll(), { blobs: 1, chunks: 1, unreferenced: 0 })
      }
    )

    await t.test('an unreachable server is reported in one sentence', async (t) => {
      await t.rejects(openGridfsFiles({ url: 'mongodb://127.0.0.1:1/x' }), {
        name: 'StartError',
        message: /cannot be used for files/
      })
    })
  }
)
