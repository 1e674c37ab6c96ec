import { mkdir, open, type FileHandle } from 'node:fs/promises'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { PRIVATE_FILE, PRIVATE_FOLDER } from '../../../lib/private-files.ts'
import { onDisk } from './errors.ts'

/** Known folders before the cache is cleared. A cleared entry only costs another flush. */
const MAX_KNOWN_FOLDERS = 10_000

/** Creates folders and flushes their directory entries to disk. */
export interface DurableFolders {
  /**
   * Creates a folder below the root with its parents. Resolves when all of them will survive a
   * power loss.
   */
  make: (folder: string) => Promise<void>
  /** Clears the cache. Call this before and after a folder is moved away. */
  forget: () => void
}

/**
 * Remembers the folders that this process has flushed, so that a write into a known folder flushes
 * only its own entry.
 */
export function createDurableFolders(root: string): DurableFolders {
  const known = new Set<string>()
  // Prevents that a folder is remembered that was moved away while it was flushed.
  let generation = 0
  return {
    async make(folder) {
      const startGeneration = generation
      if ((await mkdir(folder, { recursive: true, mode: PRIVATE_FOLDER })) === undefined && known.has(folder)) return
      for (let parent = folder; parent !== root; ) await flushFolder((parent = path.dirname(parent)))
      if (generation !== startGeneration) return
      if (known.size >= MAX_KNOWN_FOLDERS) known.clear()
      known.add(folder)
    },
    forget() {
      generation += 1
      known.clear()
    }
  }
}

/** Creates the folder with its parents. Resolves when the new ones will survive a power loss. */
export async function makeRoot(folder: string): Promise<void> {
  const first = await mkdir(folder, { recursive: true, mode: PRIVATE_FOLDER })
  if (first === undefined) return
  for (let parent = folder; parent !== path.dirname(first); ) await flushFolder((parent = path.dirname(parent)))
}

/**
 * Flushes the directory entries of a folder. Flushing a file does not flush its entry (fsync(2)).
 * Windows has no such call for folders.
 */
export async function flushFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/**
 * Writes `source` to a new file and flushes it. Resolves with the number of bytes. A stream is read
 * to its end or destroyed.
 */
export async function writeFlushed(target: string, source: Uint8Array | Readable): Promise<number> {
  const handle = await onDisk(() => open(target, 'wx', PRIVATE_FILE))
  try {
    const bytes = source instanceof Uint8Array ? await writeAll(handle, source) : await writeStream(handle, source)
    await onDisk(() => handle.sync())
    return bytes
  } finally {
    await onDisk(() => handle.close())
  }
}

async function writeStream(handle: FileHandle, source: Readable): Promise<number> {
  let bytes = 0
  // A failed write destroys the stream. An error of the stream itself is passed to the caller.
  for await (const chunk of source) {
    bytes += await writeAll(handle, typeof chunk === 'string' ? Buffer.from(chunk) : (chunk as Uint8Array))
  }
  return bytes
}

async function writeAll(handle: FileHandle, bytes: Uint8Array): Promise<number> {
  let written = 0
  while (written < bytes.byteLength) {
    const { bytesWritten } = await onDisk(() => handle.write(bytes, written))
    written += bytesWritten
  }
  return written
}
