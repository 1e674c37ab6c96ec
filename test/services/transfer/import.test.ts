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
import { createSecretCipher } from '../../../services/webhooks/secret-encryption.ts'
import { readAll, fill } from '../../contracts/store/fixtures/transfer.ts'
import { buildWebhook } from '../../contracts/store/fixtures/webhooks.ts'
import { collect } from '../../fixtures/transfer/collect.ts'
import { openTestFiles, openTestStore, temporaryFolder } from '../../helper.ts'

const KEY = randomBytes(32)
const WEBHOOK = '01946f00-0000-7000-8000-00000000aaaa'
const secret = (id: string, text: string) => ({
  id,
  ciphertext: createSecretCipher([KEY]).encrypt(WEBHOOK, text),
  createdAt: '2030-01-01T00:00:00.000Z',
  expiresAt: null
})

async function openPorts(t: Test) {
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

/** Ports with records of every kind, decryptable secrets only, two images and an upload. */
async function openFilledPorts(t: Test) {
  const parts = await openPorts(t)
  const { webhook, disabled } = await fill(parts.store)
  for (const { accountId, id } of [webhook, disabled, ...(await parts.store.webhooks.list('zeta'))]) {
    await parts.store.webhooks.delete(accountId, id)
  }
  await parts.store.webhooks.add(
    buildWebhook({ id: WEBHOOK, secrets: [secret('s2', 'whsec_new'), secret('s1', 'whsec_old')] }),
    50
  )
  const large = randomBytes(2_000_000)
  const exportedFiles = {
    'images/b/a.jpg/original': large,
    'images/b/og-0123456789abcdef.jpg/base': Buffer.from('card'),
    'imports/i/upload': Buffer.alloc(0)
  }
  const left = {
    'images/b/a.jpg/base': Buffer.from('made again'),
    'images/b/a.jpg/320.webp': Buffer.from('made again')
  }
  for (const [key, bytes] of Object.entries({ ...exportedFiles, ...left })) await parts.files.put(key, bytes)
  return { ...parts, exportedFiles }
}

async function bytesOf({ header, entries }: ExportData): Promise<Buffer> {
  return Buffer.from((await collect(serializeExport(header, entries))).join(''))
}

const requestOf = (bytes: Buffer) => ({
  open: async function* () {
    yield bytes
  },
  intoExisting: false,
  progress: () => {}
})
const keysOf = async (files: Files) => (await files.list({ afterKey: null, limit: 100 })).map(({ key }) => key)

/** A store whose `put` fails after this many calls, as if the process had been killed. */
function failingAfter(store: Store, calls: number): Store {
  let left = calls
  const put: TransferStore['put'] = async (kind, records) => {
    if (left-- === 0) throw new Error('killed')
    return await store.transfer.put(kind, records)
  }
  return { ...store, transfer: { ...store.transfer, put } }
}

t.test('imports all records and all exported files unchanged', async (t) => {
  const from = await openFilledPorts(t)
  const bytes = await bytesOf(createTransfer(from).createExport())
  const to = await openPorts(t)
  let seen: [number, number] = [0, 0]
  const imported = await createTransfer(to).importData({
    ...requestOf(bytes),
    progress: (done, total) => {
      seen = [done, total]
    }
  })
  t.equal(imported.needsKeyRotation, false)
  t.same(imported.orphans, Object.fromEntries(Object.keys(imported.orphans).map((kind) => [kind, 0])))
  t.same(await readAll(to.store), await readAll(from.store))
  t.same(await keysOf(to.files), Object.keys(from.exportedFiles).sort())
  for (const [key, bytes] of Object.entries(from.exportedFiles)) {
    t.ok((await to.files.read(key))?.equals(bytes), key)
  }
  t.equal(seen[0], seen[1])
  t.equal(seen[0], bytes.toString().trimEnd().split('\n').length - 2, 'progress counts every line')
  const [header, end] = [
    JSON.parse(bytes.toString().split('\n')[0]!),
    JSON.parse(bytes.toString().trimEnd().split('\n').at(-1)!)
  ]
  t.match(
    [header, end],
    [
      { kind: 'export', secrets: 'encrypted' },
      { kind: 'end', counts: { file: 3, bytes: 4 } }
    ]
  )
})

t.test('imports all records without files', async (t) => {
  const from = await openFilledPorts(t)
  for (const prefix of ['images', 'imports']) await from.files.removeAll(prefix)
  const to = await openPorts(t)
  await createTransfer(to).importData(requestOf(await bytesOf(createTransfer(from).createExport())))
  t.same(await readAll(to.store), await readAll(from.store))
})

t.test(
  'an import interrupted anywhere blocks the service and other files, and is completed by the same file',
  async (t) => {
    const from = await openFilledPorts(t)
    const bytes = await bytesOf(createTransfer(from).createExport())
    const other = await bytesOf(createTransfer(await openPorts(t)).createExport())
    const expected = await readAll(from.store)
    const to = await openPorts(t)
    let whole = false
    for (let calls = 0; !whole && calls < 60; calls += 3) {
      whole = await createTransfer({ ...to, store: failingAfter(to.store, calls) })
        .importData(requestOf(bytes))
        .then(
          () => true,
          () => false
        )
      if (whole) break
      await t.rejects(assertNoPendingImport(to.files), {
        name: 'StartError',
        message: /is not complete\. Run "svc import" again with the same file/
      })
      await t.rejects(createTransfer(to).importData(requestOf(other)), {
        name: 'StartError',
        message: /Another import into this store/
      })
    }
    t.ok(whole)
    await assertNoPendingImport(to.files)
    t.same(await readAll(to.store), expected)
    t.same(await keysOf(to.files), Object.keys(from.exportedFiles).sort())
  }
)

t.test('an import interrupted while it stores files can be completed', async (t) => {
  const from = await openFilledPorts(t)
  const bytes = await bytesOf(createTransfer(from).createExport())
  const to = await openPorts(t)
  let left = 2
  const put: Files['put'] = async (key, source) => {
    if (left-- === 0) throw new Error('killed')
    return await to.files.put(key, source)
  }
  await t.rejects(createTransfer({ ...to, files: { ...to.files, put } }).importData(requestOf(bytes)), /killed/)
  await t.rejects(assertNoPendingImport(to.files), /is not complete/)
  await createTransfer(to).importData(requestOf(bytes))
  t.same(await keysOf(to.files), Object.keys(from.exportedFiles).sort())
})

t.test('an import invalidates the caches of its accounts', async (t) => {
  const bytes = await bytesOf(createTransfer(await openFilledPorts(t)).createExport())
  const to = await openPorts(t)
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
  await createTransfer(to).importData(requestOf(bytes))
  const after = await epochs()
  t.ok(after[0]! > before[0]! && after[1]! > before[1]!)
})

t.test('plaintext signing secrets are encrypted once with the key of the importing service', async (t) => {
  const from = await openFilledPorts(t)
  const readable = await bytesOf(createSecretsDecryptor([KEY])(createTransfer(from).createExport()))
  t.match(readable.toString(), /whsec_new.*whsec_old/)
  const to = { ...(await openPorts(t)), secretsKeys: [randomBytes(32)] }
  await t.rejects(
    createTransfer({ ...to, store: failingAfter(to.store, 13) }).importData(requestOf(readable)),
    /killed/
  )
  const { needsKeyRotation } = await createTransfer(to).importData(requestOf(readable))
  t.equal(needsKeyRotation, false)
  const { secrets } = (await to.store.webhooks.find('acme', WEBHOOK))!
  t.same(
    secrets.map(({ ciphertext }) => createSecretCipher(to.secretsKeys).decrypt(WEBHOOK, ciphertext)),
    ['whsec_new', 'whsec_old']
  )
  const { added } = await createTransfer(to).importData({ ...requestOf(readable), intoExisting: true })
  t.ok(
    Object.values(added).every((count) => count === 0),
    'a second import changes nothing'
  )
})

t.test('encrypted signing secrets are imported only if a key decrypts them', async (t) => {
  const bytes = await bytesOf(createTransfer(await openFilledPorts(t)).createExport())
  const [to, own] = [await openPorts(t), randomBytes(32)]
  await t.rejects(createTransfer({ ...to, secretsKeys: [own] }).importData(requestOf(bytes)), {
    name: 'StartError',
    message: /--with-secrets/
  })
  await assertNoPendingImport(to.files)
  t.same(await to.store.accounts.list({ afterId: null, limit: 1 }), [], 'nothing was written')
  t.equal(
    (await createTransfer({ ...to, secretsKeys: [own, KEY] }).importData(requestOf(bytes))).needsKeyRotation,
    true
  )
})

t.test('conflicts are listed before anything is written', async (t) => {
  const from = await openFilledPorts(t)
  const bytes = await bytesOf(createTransfer(from).createExport())
  const to = await openPorts(t)
  await to.store.accounts.insertIfAbsent((await from.store.accounts.find('zeta'))!)
  await to.store.projects.insertIfAbsent({ ...(await from.store.projects.find('zeta', 'site'))!, name: 'Another' })
  await to.files.put('imports/i/upload', Buffer.from('another'))
  await t.rejects(createTransfer(to).importData(requestOf(bytes)), { name: 'StartError', message: /not empty/ })
  await t.rejects(createTransfer(to).importData({ ...requestOf(bytes), intoExisting: true }), {
    name: 'StartError',
    message: /\n {2}project zeta site\n {2}file imports\/i\/upload$/
  })
  t.equal((await to.store.accounts.list({ afterId: null, limit: 10 })).length, 1)
  await assertNoPendingImport(to.files)
})

t.test('an export with a time that cannot be represented is rejected before anything is written', async (t) => {
  const from = await openFilledPorts(t)
  const [account] = await from.store.accounts.list({ afterId: null, limit: 1 })
  await from.store.apiKeys.add(
    {
      id: '01946f00-0000-7000-8000-00000000bbbb',
      accountId: account!.id,
      name: 'From an earlier version',
      hash: 'b'.repeat(64),
      prefix: 'svc_pk_b',
      last4: 'bbbb',
      scopes: ['blogs:read'],
      projectIds: null,
      disabled: false,
      generation: 1,
      createdAt: '2030-01-01T00:00:00.000Z',
      updatedAt: '2030-01-01T00:00:00.000Z',
      expiresAt: '+010000-01-01T00:00:00.000Z',
      lastUsedAt: null
    },
    100
  )
  const bytes = await bytesOf(createTransfer(from).createExport())
  const to = await openPorts(t)
  await t.rejects(createTransfer(to).importData(requestOf(bytes)), {
    message: /expiresAt of apiKey 01946f00-0000-7000-8000-00000000bbbb is not a valid time/
  })
  t.same(await to.store.accounts.list({ afterId: null, limit: 1 }), [], 'nothing was written')
})
