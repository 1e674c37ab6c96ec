import path from 'node:path'
import t from 'tap'
import { openDiskFiles } from '../../ports/files/disk.ts'
import type { Files } from '../../ports/files/port.ts'
import { brokenPromises } from '../contracts/contract.ts'
import { filesContract } from '../contracts/files.contract.ts'
import { FLAWED_FILES } from '../fixtures/files/flawed-files.ts'

for (const [flaw, sabotage] of Object.entries(FLAWED_FILES)) {
  t.test(`files that are wrong are caught: ${flaw}`, async (t) => {
    const root = t.testdir()
    const opened: Files[] = []
    let number = 0
    const titles = await brokenPromises(filesContract, async () => {
      const right = await openDiskFiles(path.join(root, String(number++)))
      opened.push(right)
      return { ...right, ...sabotage(right) }
    })
    for (const files of opened) await files.close()
    // Many flaws pass a put on a moment later, so that closing does not know of it; that they are
    // caught by that would say little.
    const broken = titles.filter((title) => !title.startsWith('closing waits') || flaw.includes('close'))
    t.ok(broken.length > 0, 'at least one promise is broken')
    t.comment(broken.join('\n'))
  })
}
