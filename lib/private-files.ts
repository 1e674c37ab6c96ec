import { chmodSync, lstatSync, mkdirSync, readdirSync, statSync, type Stats } from 'node:fs'
import path from 'node:path'

/** Modes of files and folders that only their owner may access. */
export const PRIVATE_FILE = 0o600
export const PRIVATE_FOLDER = 0o700

const PERMISSIONS = 0o777
/** Set on folders that several users share, such as /tmp. */
const STICKY = 0o1000

/**
 * Creates the folder if needed and makes it private, together with the files in `names` that exist.
 * A shared folder such as /tmp keeps its mode. Throws the system's error when the folder cannot be
 * created. A mode that cannot be changed, because another user owns the file, is only a warning.
 */
export function makePrivateFolder(folder: string, names: readonly string[] = []): void {
  mkdirSync(folder, { recursive: true, mode: PRIVATE_FOLDER })
  restrict(folder, statSync(folder))
  for (const name of names) {
    const file = path.join(folder, name)
    const stats = lstatSync(file, { throwIfNoEntry: false })
    if (stats !== undefined) restrict(file, stats)
  }
}

/** Like `makePrivateFolder`, for everything in the folder. Does not follow symbolic links. */
export function makePrivateTree(folder: string): void {
  makePrivateFolder(folder)
  const pending = [folder]
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    for (const name of readdirSync(next)) {
      const file = path.join(next, name)
      const stats = lstatSync(file, { throwIfNoEntry: false })
      if (stats === undefined) continue
      restrict(file, stats)
      if (stats.isDirectory()) pending.push(file)
    }
  }
}

function restrict(file: string, stats: Stats): void {
  if (process.platform === 'win32' || !(stats.isFile() || stats.isDirectory())) return
  if (stats.isDirectory() && (stats.mode & STICKY) !== 0) return
  const mode = stats.isDirectory() ? PRIVATE_FOLDER : PRIVATE_FILE
  if ((stats.mode & PERMISSIONS) === mode) return
  try {
    chmodSync(file, mode)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'EPERM' && code !== 'EROFS') throw error
    process.emitWarning(`Other users may be able to access ${file}: its permissions cannot be changed (${code}).`)
  }
}
