import t from 'tap'
import { createDerivedFiles } from '../../../services/images/derived-files.ts'
import { createImageSlots } from '../../../services/images/slots.ts'
import { STORAGE_LIMITS } from '../../../schemas/account.ts'
import { createGeneratedFiles } from '../../../services/generated-files.ts'
import { openTestFiles, openTestStore, temporaryFolder } from '../../helper.ts'

t.test('images that anybody requests do not delay an upload of the account', async (t) => {
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
  const getOrCreate = createDerivedFiles({ files, generatedFiles, slots })
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
