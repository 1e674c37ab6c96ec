import { randomUUID } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { MongoClient, type Db } from 'mongodb'
import t from 'tap'
import { createBlobs } from '../../ports/files/gridfs/blobs.ts'
import { openGridfsFiles, prepareGridfs } from '../../ports/files/gridfs/index.ts'
import { runCase } from '../contracts/contract.ts'
import { filesContract } from '../contracts/files.contract.ts'
import { MONGODB_URL } from '../profile.ts'

t.test('files in a MongoDB', { skip: MONGODB_URL === undefined ? 'TEST_MONGODB_URL is not set' : false, timeout: 300_000 }, async (t) => {
  const url = `${MONGODB_URL!}files_${randomUUID().replaceAll('-', '')}`
  const client = new MongoClient(url)
  const db: Db = client.db()
  t.teardown(async () => {
    await db.dropDatabase()
    await client.close()
  })
  const empty = async () => { for (const { name } of await db.listCollections({}, { nameOnly: true }).toArray()) await db.collection(name).deleteMany({}) }

  await t.test('are not opened before the database was prepared, and nothing is made behind the operator\'s back', async (t) => {
    await t.rejects(openGridfsFiles({ url }), { name: 'StartError', message: /svc -- migrate/ })
    t.same(await prepareGridfs({ url }), ['files.blob', 'files_loose.until', 'files_blobs.files.filename_1_uploadDate_1', 'files_blobs.chunks.files_id_1_n_1'])
    t.same(await prepareGridfs({ url }), [], 'a second time there is nothing to do')
  })

  for (const one of filesContract) {
    await t.test(one.title, async (t) => {
      await empty()
      await runCase(one, () => openGridfsFiles({ url }), 30_000)
      t.pass('kept')
    })
  }

  const LARGE = Buffer.alloc(2_500_000, 'abc')

  await t.test('whoever reads a file that is replaced or removed by another process gets to its end, and then its bytes are swept away', async (t) => {
    await empty()
    const [one, other] = [await openGridfsFiles({ url }), await openGridfsFiles({ url })]
    t.teardown(async () => { await one.close(); await other.close() })
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
    t.equal(await db.collection('files_loose').countDocuments(), 0)
  })

  await t.test('what a killed process left half written is swept away, and what it had just made a file stays', async (t) => {
    await empty()
    const blobs = createBlobs(db)
    const files = await openGridfsFiles({ url })
    t.teardown(() => files.close())
    await blobs.write(LARGE)
    const { blob, size } = await blobs.write(Buffer.from('kept'))
    await blobs.files.insertOne({ _id: 'kept', blob, size, putAt: new Date() })
    await blobs.sweep(new Date(Date.now() + 25 * 3_600_000))
    t.same(await files.read('kept'), Buffer.from('kept'))
    t.equal(await db.collection('files_blobs.files').countDocuments(), 1)
    t.equal(await db.collection('files_loose').countDocuments(), 0)
  })

  await t.test('a server that cannot be reached is told in one sentence', async (t) => {
    await t.rejects(openGridfsFiles({ url: 'mongodb://127.0.0.1:1/x' }), { name: 'StartError', message: /cannot be used for files/ })
  })
})
