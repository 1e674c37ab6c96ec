import t, { type Test } from 'tap'
import { createDerivedFiles } from '../../../services/images/derived-files.ts'
import { createImageSlots } from '../../../services/images/slots.ts'
import { STORAGE_LIMITS } from '../../../schemas/account.ts'
import { createGeneratedFiles } from '../../../services/generated-files.ts'
import { openTestFiles, openTestStore, temporaryFolder } from '../../helper.ts'

async function open(t: Test) {
  const folder = temporaryFolder(t)
  const [files, store] = [await openTestFiles(folder), await openTestStore(folder)]
  t.teardown(async () => {
    await files.close()
    await store.close()
  })
  const generatedFiles = createGeneratedFiles({
    ...{ store, files },
    storage: { limits: async () => STORAGE_LIMITS.starter }
  })
  const slots = createImageSlots({ running: 2, waiting: 20, memoryBytes: 100 })
  return { files, store, generatedFiles, slots, getOrCreate: createDerivedFiles({ files, generatedFiles, slots }) }
}

t.test('a file whose image is deleted while it is created does not stay', async (t) => {
  const { files, store, generatedFiles, getOrCreate } = await open(t)
  const prefix = 'images/blog/photo.jpg'
  let exists = true
  const owner = { prefix, exists: async () => exists }
  const create = async (name: string, make = async () => Buffer.from('bytes')) =>
    await getOrCreate({ key: `${prefix}/${name}`, accountId: 'acme', kind: 'image-size', make, owner })
  const list = async () => (await files.list({ afterKey: null, limit: 10 })).map(({ key }) => key)
  const recorded = async () =>
    (await store.generatedFiles.oldest('acme', 'image-size', { before: '~', limit: 10 })).length
  await create('one')
  t.same(await list(), [`${prefix}/one`])
  t.equal(await recorded(), 1)
  const { size } = await create('other', async () => {
    exists = false
    await generatedFiles.removeAll(prefix)
    return Buffer.from('bytes')
  })
  t.equal(size, 5, 'its client still gets it')
  t.same(await list(), [])
  t.equal(await recorded(), 0)
})

t.test('images that anybody requests do not delay an upload of the account', async (t) => {
  const { slots, getOrCreate } = await open(t)
  const gate = Promise.withResolvers<void>()
  const made: string[] = []
  const requests = Array.from({ length: 10 }, async (_, n) => {
    const make = async () => {
      await gate.promise
      made.push(`image ${n}`)
      return Buffer.from('bytes')
    }
    await getOrCreate({ key: `key-${n}`, accountId: 'acme', kind: 'image-size', make })
  })
  // All of them wait or run.
  for (let turn = 0; turn < 100; turn++) await new Promise((resolve) => setTimeout(resolve, 1))
  const upload = slots.run({ accountId: 'acme', kind: 'upload' }, async () => made.push('upload'))
  gate.resolve()
  await Promise.all([...requests, upload])
  t.ok(made.indexOf('upload') <= 2, made.join(', '))
})
