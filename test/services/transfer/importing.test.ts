import { randomBytes } from 'node:crypto'
import t, { type Test } from 'tap'
import { openLimits } from '../../../ports/limits/open.ts'
import type { Files } from '../../../ports/files/port.ts'
import type { Store, TransferStore } from '../../../ports/store/port.ts'
import {
  assertNoPendingImport,
  createSecretsDecryptor,
  createTransfer,
  serializeExport,
  type ExportData
} from '../../../services/transfer/index.ts'
import { createSeal } from '../../../services/webhooks/seal.ts'
import { everythingIn, fill } from '../../contracts/store/transfer-given.ts'
import { aWebhook } from '../../contracts/store/webhook-given.ts'
import { all } from '../../fixtures/transfer/all.ts'
import { openTestFiles, openTestStore, temporaryFolder } from '../../helper.ts'

const KEY = randomBytes(32)
const WEBHOOK = '01946f00-0000-7000-8000-00000000aaaa'
const secret = (id: string, text: string) => ({
  id,
  ciphertext: createSeal([KEY]).seal(WEBHOOK, text),
  createdAt: '2030-01-01T00:00:00.000Z',
  expiresAt: null
})

async function stand(t: Test) {
  const folder = temporaryFolder(t)
  const [store, files, limits] = [
    await openTestStore(folder),
    await openTestFiles(folder),
    await openLimits({ redisPrefix: 'x' })
  ]
  t.teardown(async () => {
    for (const part of [store, files, limits]) await part.close()
  })
  return { store, files, limits, secretsKeys: [KEY] }
}

/**
 * A stand with something of everything but what no SECRETS_KEY has encrypted, two pictures and what
 * is left of an upload.
 */
async function full(t: Test) {
  const parts = await stand(t)
  const { webhook, disabled } = await fill(parts.store)
  for (const { accountId, id } of [webhook, disabled, ...(await parts.store.webhooks.list('zeta'))]) {
    await parts.store.webhooks.delete(accountId, id)
  }
  await parts.store.webhooks.add(
    aWebhook({ id: WEBHOOK, secrets: [secret('s2', 'whsec_new'), secret('s1', 'whsec_old')] }),
    50
  )
  const large = randomBytes(2_000_000)
  const kept = {
    'images/b/a.jpg/original': large,
    'images/b/og-0123456789abcdef.jpg/base': Buffer.from('card'),
    'imports/i/upload': Buffer.alloc(0)
  }
  const left = {
    'images/b/a.jpg/base': Buffer.from('made again'),
    'images/b/a.jpg/320.webp': Buffer.from('made again')
  }
  for (const [key, bytes] of Object.entries({ ...kept, ...left })) await parts.files.put(key, bytes)
  return { ...parts, kept }
}

async function bytesOf({ header, entries }: ExportData): Promise<Buffer> {
  return Buffer.from((await all(serializeExport(header, entries))).join(''))
}

const opening = (bytes: Buffer) => ({
  open: async function* () {
    yield bytes
  },
  intoExisting: false,
  progress: () => {}
})
const keysOf = async (files: Files) => (await files.list({ afterKey: null, limit: 100 })).map(({ key }) => key)

/** The store, which fails as if the process had died at this many calls of `put`. */
function dyingAt(store: Store, calls: number): Store {
  let left = calls
  const put: TransferStore['put'] = async (kind, records) => {
    if (left-- === 0) throw new Error('killed')
    return await store.transfer.put(kind, records)
  }
  return { ...store, transfer: { ...store.transfer, put } }
}

t.test('everything arrives, with the files that cannot be made again, byte by byte', async (t) => {
  const from = await full(t)
  const bytes = await bytesOf(createTransfer(from).createExport())
  const to = await stand(t)
  let seen: [number, number] = [0, 0]
  const imported = await createTransfer(to).importData({
    ...opening(bytes),
    progress: (done, total) => {
      seen = [done, total]
    }
  })
  t.equal(imported.needsKeyRotation, false)
  t.same(imported.orphans, Object.fromEntries(Object.keys(imported.orphans).map((kind) => [kind, 0])))
  t.same(await everythingIn(to.store), await everythingIn(from.store))
  t.same(await keysOf(to.files), Object.keys(from.kept).sort())
  for (const [key, kept] of Object.entries(from.kept)) t.ok((await to.files.read(key))?.equals(kept), key)
  t.equal(seen[0], seen[1])
  t.equal(seen[0], bytes.toString().trimEnd().split('\n').length - 2, 'each line is told as done')
  const [header, end] = [
    JSON.parse(bytes.toString().split('\n')[0]!),
    JSON.parse(bytes.toString().trimEnd().split('\n').at(-1)!)
  ]
  t.match(
    [header, end],
    [
      { kind: 'export', secrets: 'sealed' },
      { kind: 'end', counts: { file: 3, bytes: 4 } }
    ]
  )
})

t.test('where there are no files, all records arrive too', async (t) => {
  const from = await full(t)
  for (const prefix of ['images', 'imports']) await from.files.removeAll(prefix)
  const to = await stand(t)
  await createTransfer(to).importData(opening(await bytesOf(createTransfer(from).createExport())))
  t.same(await everythingIn(to.store), await everythingIn(from.store))
})

t.test(
  'wherever an import dies, nobody takes half of it for a whole, another file is refused, and the same one completes it',
  async (t) => {
    const from = await full(t)
    const bytes = await bytesOf(createTransfer(from).createExport())
    const other = await bytesOf(createTransfer(await stand(t)).createExport())
    const expected = await everythingIn(from.store)
    const to = await stand(t)
    let whole = false
    for (let calls = 0; !whole && calls < 60; calls += 3) {
      whole = await createTransfer({ ...to, store: dyingAt(to.store, calls) })
        .importData(opening(bytes))
        .then(
          () => true,
          () => false
        )
      if (whole) break
      await t.rejects(assertNoPendingImport(to.files), {
        name: 'StartError',
        message: /is not complete: run svc import with the same file again/
      })
      await t.rejects(createTransfer(to).importData(opening(other)), {
        name: 'StartError',
        message: /Another import into this store/
      })
    }
    t.ok(whole)
    await assertNoPendingImport(to.files)
    t.same(await everythingIn(to.store), expected)
    t.same(await keysOf(to.files), Object.keys(from.kept).sort())
  }
)

t.test('an import that dies while files are written is completed too', async (t) => {
  const from = await full(t)
  const bytes = await bytesOf(createTransfer(from).createExport())
  const to = await stand(t)
  let left = 2
  const put: Files['put'] = async (key, source) => {
    if (left-- === 0) throw new Error('killed')
    return await to.files.put(key, source)
  }
  await t.rejects(createTransfer({ ...to, files: { ...to.files, put } }).importData(opening(bytes)), /killed/)
  await t.rejects(assertNoPendingImport(to.files), /is not complete/)
  await createTransfer(to).importData(opening(bytes))
  t.same(await keysOf(to.files), Object.keys(from.kept).sort())
})

t.test('nothing that was kept in memory of the accounts is good after an import', async (t) => {
  const bytes = await bytesOf(createTransfer(await full(t)).createExport())
  const to = await stand(t)
  const epochs = async () => {
    const { keyEpoch, contentEpoch } = await to.limits.consume({
      bucket: 'account:acme',
      limit: 10,
      cost: 0,
      account: 'acme'
    })
    return [keyEpoch, contentEpoch]
  }
  const before = await epochs()
  await createTransfer(to).importData(opening(bytes))
  const after = await epochs()
  t.ok(after[0]! > before[0]! && after[1]! > before[1]!)
})

t.test('readable signing secrets are encrypted by the key of where they come to, once', async (t) => {
  const from = await full(t)
  const readable = await bytesOf(createSecretsDecryptor([KEY])(createTransfer(from).createExport()))
  t.match(readable.toString(), /whsec_new.*whsec_old/)
  const to = { ...(await stand(t)), secretsKeys: [randomBytes(32)] }
  await t.rejects(createTransfer({ ...to, store: dyingAt(to.store, 13) }).importData(opening(readable)), /killed/)
  const { needsKeyRotation } = await createTransfer(to).importData(opening(readable))
  t.equal(needsKeyRotation, false)
  const { secrets } = (await to.store.webhooks.find('acme', WEBHOOK))!
  t.same(
    secrets.map(({ ciphertext }) => createSeal(to.secretsKeys).open(WEBHOOK, ciphertext)),
    ['whsec_new', 'whsec_old']
  )
  const { added } = await createTransfer(to).importData({ ...opening(readable), intoExisting: true })
  t.ok(
    Object.values(added).every((count) => count === 0),
    'again changes nothing'
  )
})

t.test('encrypted signing secrets are taken only where they can be used', async (t) => {
  const bytes = await bytesOf(createTransfer(await full(t)).createExport())
  const [to, own] = [await stand(t), randomBytes(32)]
  await t.rejects(createTransfer({ ...to, secretsKeys: [own] }).importData(opening(bytes)), {
    name: 'StartError',
    message: /--with-secrets/
  })
  await assertNoPendingImport(to.files)
  t.same(await to.store.accounts.list({ afterId: null, limit: 1 }), [], 'nothing was written')
  t.equal((await createTransfer({ ...to, secretsKeys: [own, KEY] }).importData(opening(bytes))).needsKeyRotation, true)
})

t.test('what stands in the way is named before anything is written', async (t) => {
  const from = await full(t)
  const bytes = await bytesOf(createTransfer(from).createExport())
  const to = await stand(t)
  await to.store.accounts.insertIfAbsent((await from.store.accounts.find('zeta'))!)
  await to.store.projects.insertIfAbsent({ ...(await from.store.projects.find('zeta', 'site'))!, name: 'Another' })
  await to.files.put('imports/i/upload', Buffer.from('another'))
  await t.rejects(createTransfer(to).importData(opening(bytes)), { name: 'StartError', message: /not empty/ })
  await t.rejects(createTransfer(to).importData({ ...opening(bytes), intoExisting: true }), {
    name: 'StartError',
    message: /\n {2}project zeta site\n {2}file imports\/i\/upload$/
  })
  t.equal((await to.store.accounts.list({ afterId: null, limit: 10 })).length, 1)
  await assertNoPendingImport(to.files)
})
