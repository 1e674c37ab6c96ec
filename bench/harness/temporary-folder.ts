import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

const folders = new Set<string>()

function removeAll(): void {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
}

/**
 * Creates a folder that is removed when this process exits: at its end, by an error, by a signal that can be handled,
 * or because the process that started it has ended.
 */
export function temporaryFolder(name: string, parent = tmpdir()): string {
  if (folders.size === 0) {
    process.once('exit', removeAll)
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1))
    process.once('disconnect', () => process.exit(1))
  }
  const folder = mkdtempSync(path.join(parent, `${name}-`))
  folders.add(folder)
  return folder
}
