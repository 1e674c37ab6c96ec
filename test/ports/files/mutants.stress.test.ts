import path from 'node:path'
import t from 'tap'
import { openDiskFiles } from '../../../ports/files/disk/index.ts'
import type { Files } from '../../../ports/files/port.ts'
import { firstFailingCase } from '../../contracts/contract.ts'
import { Detections } from '../../contracts/detections.ts'
import { filesContract } from '../../contracts/files.contract.ts'
import { FILES_MUTANTS } from '../../fixtures/files/mutants.ts'

const detections = new Detections(path.resolve(import.meta.dirname, '../../fixtures/files/detections.json'))
t.teardown(() => detections.save())

for (const [name, mutate] of Object.entries(FILES_MUTANTS)) {
  t.test(`the files contract detects a mutant that ${name}`, async (t) => {
    const root = t.testdir()
    const opened: Files[] = []
    let count = 0
    // Many mutants start a put a moment later, so that `close` cannot wait for it. Detecting them
    // by that alone would prove little.
    const proving = filesContract.filter(({ title }) => !title.startsWith('closing waits') || name.includes('close'))
    const detectedBy = await firstFailingCase(detections.order(name, proving), async () => {
      const right = await openDiskFiles(path.join(root, String(count++)))
      opened.push(right)
      return { ...right, ...mutate(right) }
    })
    for (const files of opened) await files.close()
    t.not(detectedBy, null, `detected by: ${detectedBy}`)
    if (detectedBy !== null) detections.add(name, detectedBy)
  })
}
