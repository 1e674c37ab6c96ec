import t, { type Test } from 'tap'
import type { GeneratedKind } from '../../ports/store/port.ts'
import { STORAGE_LIMITS } from '../../schemas/account.ts'
import { createGeneratedFiles, type GeneratedFilesOptions, type TrimmedFiles } from '../../services/generated-files.ts'
import { until } from '../contracts/contract.ts'
import { openTestFiles, openTestStore, temporaryFolder } from '../helper.ts'

const KB = 1000

/** Generated files of an account that may store `bytes`; each kind may have at least 10 KB. */
async function open(t: Test, { bytes = 0, ...options }: GeneratedFilesOptions & { bytes?: number } = {}) {
  const folder = temporaryFolder(t)
  const [store, files] = [await openTestStore(folder), await openTestFiles(folder)]
  t.teardown(async () => {
    await files.close()
    await store.close()
  })
  const trimmed: TrimmedFiles[] = []
  const onTrimmed = (each: TrimmedFiles) => trimmed.push(each)
  const create = ({ bytes: maxBytes } = { bytes }) => {
    const storage = { limits: async () => ({ ...STORAGE_LIMITS.starter, bytes: maxBytes }) }
    return createGeneratedFiles({ store, files, storage }, { minBytes: 10 * KB, onTrimmed, ...options })
  }
  const generated = create()
  const put = async (n: number, { accountId = 'acme', kind = 'image-size' as GeneratedKind, size = KB } = {}) =>
    await generated.put({ accountId, kind, key: `${kind}/${accountId}/${n}` }, Buffer.alloc(size))
  /** The numbers of the files that are stored, and of those with a record. */
  const stored = async (accountId = 'acme', kind: GeneratedKind = 'image-size') => {
    const prefix = `${kind}/${accountId}`
    const onDisk = await files.list({ prefix, afterKey: null, limit: 1000 })
    const recorded = await store.generatedFiles.oldest(accountId, kind, { before: '~', limit: 1000 })
    const numbers = (found: { key: string }[]) =>
      found.map(({ key }) => Number(key.split('/').at(-1))).sort((a, b) => a - b)
    return { onDisk: numbers(onDisk), recorded: numbers(recorded) }
  }
  return { ...{ store, files, generated, create, put, stored, trimmed } }
}

t.test('the oldest files of an account are deleted when it has too many bytes of a kind', async (t) => {
  const { put, stored, trimmed } = await open(t)
  await put(0, { accountId: 'zeta' })
  await put(0, { kind: 'screenshot' })
  for (let n = 0; n < 9; n++) await put(n)
  t.same(trimmed, [], 'that many are allowed')
  await put(9)
  await until(() => trimmed.length > 0, 'deleted files')
  t.same(trimmed, [{ accountId: 'acme', kind: 'image-size', files: 1, maxBytes: 10 * KB }])
  const left = [1, 2, 3, 4, 5, 6, 7, 8, 9]
  t.same(await stored(), { onDisk: left, recorded: left })
  t.same(await stored('zeta'), { onDisk: [0], recorded: [0] })
  t.same(await stored('acme', 'screenshot'), { onDisk: [0], recorded: [0] })
})

t.test('the limit is a share of what the account may store, and another one for each kind', async (t) => {
  const { put, trimmed } = await open(t, { bytes: 100 * KB })
  for (const kind of ['image-size', 'screenshot', 'social-image'] as const) {
    for (let n = 0; n < 2; n++) await put(n, { kind, size: 96 * KB })
    await until(() => trimmed.at(-1)?.kind === kind, 'deleted files')
  }
  t.same(
    trimmed.map(({ kind, maxBytes }) => [kind, maxBytes]),
    [
      ['image-size', 100 * KB],
      ['screenshot', 50 * KB],
      ['social-image', 10 * KB]
    ]
  )
})

t.test('a file that is put again counts once, with its last size and time', async (t) => {
  const { put, stored, trimmed } = await open(t)
  for (let round = 0; round < 20; round++) await put(0)
  for (const n of [1, 2]) await put(n, { size: 4 * KB })
  t.same(trimmed, [])
  await put(0, { size: 3 * KB })
  await until(() => trimmed.length > 0, 'deleted files')
  t.same(await stored(), { onDisk: [0, 2], recorded: [0, 2] })
})

t.test('files of an earlier process count', async (t) => {
  const { put, create, stored, trimmed } = await open(t)
  for (let n = 0; n < 9; n++) await put(n)
  await create().put({ accountId: 'acme', kind: 'image-size', key: 'image-size/acme/9' }, Buffer.alloc(KB))
  await until(() => trimmed.length > 0, 'deleted files')
  t.same((await stored()).onDisk, [1, 2, 3, 4, 5, 6, 7, 8, 9])
})

t.test('files are added up once, however many are deleted', async (t) => {
  const { put, create, store, stored, trimmed } = await open(t, { bytes: 1000 * KB })
  for (let n = 0; n < 250; n++) await put(n)
  const { findFitting } = store.generatedFiles
  let count = 0
  store.generatedFiles.findFitting = async (...query) => {
    count += 1
    return await findFitting(...query)
  }
  const smaller = create({ bytes: 0 })
  await smaller.put({ accountId: 'acme', kind: 'image-size', key: 'image-size/acme/250' }, Buffer.alloc(KB))
  await until(() => trimmed.length > 0, 'deleted files')
  t.match(trimmed, [{ files: 242 }])
  t.equal(count, 1)
  t.equal((await stored()).onDisk.length, 9)
})

t.test('a failed deletion is reported, and repeated with the next file, however small it is', async (t) => {
  const errors: unknown[] = []
  const onError = (error: unknown) => errors.push(error)
  const { put, files, stored, trimmed } = await open(t, { minBytes: 100 * KB, onError })
  const { remove } = files
  files.remove = async () => {
    throw new Error('The disk is read-only.')
  }
  for (let n = 0; n < 11; n++) await put(n, { size: 10 * KB })
  await until(() => errors.length > 0, 'an error')
  t.equal((await stored()).recorded.length, 11, 'no file is left without a record')
  files.remove = remove
  await put(11, { size: 1 })
  await until(() => trimmed.length > 0, 'deleted files')
  t.same((await stored()).onDisk, [2, 3, 4, 5, 6, 7, 8, 9, 10, 11])
})

t.test('removing a folder removes its records, too', async (t) => {
  const { put, generated, stored } = await open(t)
  for (let n = 0; n < 3; n++) await put(n)
  await put(0, { accountId: 'zeta' })
  await generated.removeAll('image-size/acme')
  t.same(await stored(), { onDisk: [], recorded: [] })
  t.same(await stored('zeta'), { onDisk: [0], recorded: [0] })
})
