import { rmSync } from 'node:fs'
import { lstat, mkdir, mkdtemp, readdir, rm, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { PRIVATE_FOLDER } from './private-files.ts'

const PREFIX = 'content-service-tmp-'
/** How often a process shows that its folder is in use, in milliseconds. */
const REFRESH_MS = 5 * 60_000
/** A folder that was not refreshed for this time, in milliseconds, is from a process that was killed. */
const STALE_MS = 6 * REFRESH_MS

export interface TemporaryFolder {
  path: string
  /** Shows that the folder is in use, creates it if it was deleted, and deletes those of processes that were killed. */
  refresh: () => Promise<void>
  remove: () => void
}

/**
 * Creates a private folder for the temporary files of a process, and deletes those that processes left behind
 * when they were killed. Their age decides, because process ids are reused, and several containers may share the
 * parent folder. Rejects with the system's error when the folder cannot be created.
 */
export async function createTemporaryFolder(parent: string, staleMs = STALE_MS): Promise<TemporaryFolder> {
  const folder = await mkdtemp(path.join(parent, PREFIX))

  async function removeStale(): Promise<void> {
    for (const name of await readdir(parent)) {
      const other = path.join(parent, name)
      if (!name.startsWith(PREFIX) || other === folder) continue
      // Another process may delete it at the same time. Those of other users are left to them.
      const stats = await lstat(other).catch(() => null)
      if (stats === null || !stats.isDirectory() || stats.uid !== (process.getuid?.() ?? stats.uid)) continue
      if (Date.now() - stats.mtimeMs > staleMs) await rm(other, { recursive: true, force: true })
    }
  }

  async function refresh(): Promise<void> {
    try {
      await mkdir(folder, { recursive: true, mode: PRIVATE_FOLDER })
      const now = new Date()
      await utimes(folder, now, now)
      await removeStale()
    } catch (error) {
      process.emitWarning(`Temporary files may be left in ${parent}: ${(error as Error).message}`)
    }
  }

  await refresh()
  return { path: folder, refresh, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

let opening: Promise<TemporaryFolder> | undefined

async function openProcessFolder(): Promise<TemporaryFolder> {
  const folder = await createTemporaryFolder(tmpdir())
  setInterval(folder.refresh, REFRESH_MS).unref()
  process.once('exit', folder.remove)
  return folder
}

/**
 * The folder for temporary files of this process, in the system's temporary folder. It is deleted when the process
 * exits; after a kill, half an hour later by any process that has such a folder or creates one. Rejects with the
 * system's error when it cannot be created.
 */
export async function processFolder(): Promise<string> {
  opening ??= openProcessFolder()
  try {
    return (await opening).path
  } catch (error) {
    opening = undefined
    throw error
  }
}
