import t from 'tap'
import { createDerivedFiles } from '../../../services/images/derived-files.ts'
import { createImageSlots } from '../../../services/images/slots.ts'
import { openTestFiles, temporaryFolder } from '../../helper.ts'

t.test('images that anybody requests do not delay an upload of the account', async (t) => {
  const files = await openTestFiles(temporaryFolder(t))
  t.teardown(() => files.close())
  const slots = createImageSlots({ running: 2, waiting: 20, memoryBytes: 100 })
  const getOrCreate = createDerivedFiles(files, slots)
  const gate = Promise.withResolvers<void>()
  const made: string[] = []
  const requests = Array.from({ length: 10 }, async (_, n) => {
    const make = async () => {
      await gate.promise
      made.push(`image ${n}`)
      return Buffer.from('bytes')
    }
    await getOrCreate({ key: `key-${n}`, accountId: 'acme', make })
  })
  // All of them wait or run.
  for (let turn = 0; turn < 100; turn++) await new Promise((resolve) => setTimeout(resolve, 1))
  const upload = slots.run('acme', async () => made.push('upload'))
  gate.resolve()
  await Promise.all([...requests, upload])
  t.ok(made.indexOf('upload') <= 2, made.join(', '))
})
