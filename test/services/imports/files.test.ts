import t from 'tap'
import { importFolder, layoutKey, uploadKey, createOrphanSweep } from '../../../services/imports/files.ts'
import { buildImport } from '../../contracts/store/fixtures/products.ts'
import { openTestFiles, openTestStore, temporaryFolder } from '../../helper.ts'

const HOUR_MS = 3_600_000
const never = new AbortController().signal

t.test('files of an import without a record are removed after a day; other imports and other files stay', async (t) => {
  const folder = temporaryFolder(t)
  const [store, files] = [await openTestStore(folder), await openTestFiles(folder)]
  t.teardown(async () => {
    await Promise.all([store.close(), files.close()])
  })
  const [running, orphan] = [buildImport(), 'left-by-a-crash']
  await store.imports.add(running)
  const keys = [uploadKey(running.id), layoutKey(running.id), uploadKey(orphan), 'images/blog/picture.jpg/original']
  for (const key of keys) await files.put(key, Buffer.from(key))
  const storedKeys = async () => (await files.list({ afterKey: null, limit: 10 })).map(({ key }) => key)

  const sweep = createOrphanSweep({ store, files })
  await sweep(Date.now() + 23 * HOUR_MS, never)
  t.same(await storedKeys(), [...keys].sort(), 'younger files may still get their record')
  await sweep(Date.now() + 25 * HOUR_MS, never)
  t.same(await storedKeys(), [...keys].sort(), 'the sweep does not run again within its interval')
  await sweep(Date.now() + 30 * HOUR_MS, never)
  t.same(await storedKeys(), keys.filter((key) => !key.startsWith(importFolder(orphan))).sort())
  await store.imports.delete(running.accountId, running.id)
  await sweep(Date.now() + 48 * HOUR_MS, never)
  t.same(await storedKeys(), ['images/blog/picture.jpg/original'])
})
