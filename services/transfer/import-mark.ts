import { StartError } from '../../errors.ts'
import type { Files } from '../../ports/files/port.ts'

/**
 * What is being imported: kept from before the first record until after the last one, so that half
 * an import is never taken for a whole one.
 */
export interface PendingImport {
  sha256: string
  startedAt: string
}

const KEY = 'transfer/import.json'

export async function readMark(files: Files): Promise<PendingImport | null> {
  const bytes = await files.read(KEY)
  return bytes === null ? null : (JSON.parse(bytes.toString()) as PendingImport)
}

export async function setMark(files: Files, mark: PendingImport): Promise<void> {
  await files.put(KEY, Buffer.from(JSON.stringify(mark)))
}

export async function removeMark(files: Files): Promise<void> {
  await files.remove(KEY)
}

/**
 * Throws a StartError where an import was broken off: whoever served or worked on half of it would
 * do harm.
 */
export async function assertNoPendingImport(files: Files): Promise<void> {
  const mark = await readMark(files)
  if (mark !== null) {
    throw new StartError(
      `An import into this store, begun at ${mark.startedAt}, is not complete: run svc import with the same file again, then start.`
    )
  }
}
