import path from 'node:path'
import t from 'tap'
import { openDiskFiles } from '../../../ports/files/disk/index.ts'
import type { Files } from '../../../ports/files/port.ts'
import { failingCases } from '../../contracts/contract.ts'
import { filesContract } from '../../contracts/files.contract.ts'
import { FILES_MUTANTS } from '../../fixtures/files/mutants.ts'

for (const [name, mutate] of Object.entries(FILES_MUTANTS)) {
  t.test(`the files contract detects a mutant that ${name}`, async (t) => {
    const root = t.testdir()
    const opened: Files[] = []
    let count = 0
    const titles = await failingCases(filesContract, async () => {
      const right = await openDiskFiles(path.join(root, String(count++)))
      opened.push(right)
      return { ...right, ...mutate(right) }
    })
    for (const files of opened) await files.close()
    // Many mutants start a put a moment later, so that `close` cannot wait for it. Detecting them
    // by that alone would prove little.
    const failed = titles.filter((title) => !title.startsWith('closing waits') || name.includes('close'))
    t.ok(failed.length > 0, 'at least one case fails')
    t.comment(failed.join('\n'))
  })
}
