import { randomUUID } from 'node:crypto'
import { open } from 'node:fs'
import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { LRUCache } from 'lru-cache'
import { createFileStream } from '../../../lib/file-reads.ts'
import { checkRange } from '../input.ts'
import type { ByteRange, Files } from '../port.ts'

export interface FileCacheOptions {
  /** The folder in which the cache creates its own, which is removed by `close`. */
  folder: string
  maxBytes: number
  /** Larger files are not cached: they are read at once to be cached. */
  maxFileBytes?: number
  /** Which files are cached. Their content must stay valid while the key is in use. */
  accepts: (key: string) => boolean
}

const openFile = promisify(open)

const MAX_FILE_BYTES = 16 * 1024 * 1024
const MAX_FILES = 50_000

/**
 * Keeps copies of files that were read or written in a folder of this process, so that reading them
 * again needs no server. Files that other processes replace or remove may be returned for some time:
 * the caller must know that a file still exists. An error of the disk only means that a file is not
 * cached.
 */
export async function cacheFiles(
  files: Files,
  { folder, maxBytes, maxFileBytes = MAX_FILE_BYTES, accepts }: FileCacheOptions
): Promise<Files> {
  const root = await mkdtemp(path.join(folder, 'files-'))
  const copies = new LRUCache<string, { file: string; size: number }>({
    max: MAX_FILES,
    maxSize: maxBytes,
    sizeCalculation: ({ size }) => Math.max(1, size),
    dispose: ({ file }) => {
      // A file that cannot be removed is removed with the folder.
      rm(file, { force: true }).catch(() => {})
    }
  })

  const puts = new Set<Promise<number>>()

  async function store(key: string, bytes: Uint8Array): Promise<void> {
    if (!accepts(key) || bytes.length > Math.min(maxFileBytes, maxBytes)) return
    const file = path.join(root, randomUUID())
    try {
      await writeFile(`${file}.part`, bytes, { mode: 0o600 })
      await rename(`${file}.part`, file)
      copies.set(key, { file, size: bytes.length })
    } catch {
      await rm(`${file}.part`, { force: true }).catch(() => {})
    }
  }

  /** Opens the copy, which stays readable when it is removed. Null without one. */
  async function openCopy(key: string, range?: ByteRange): Promise<Readable | null> {
    const copy = copies.get(key)
    if (copy === undefined) return null
    try {
      return createFileStream(await openFile(copy.file, 'r'), range)
    } catch {
      copies.delete(key)
      return null
    }
  }

  async function put(key: string, bytes: Uint8Array | Readable): Promise<number> {
    copies.delete(key)
    const size = await files.put(key, bytes)
    if (!(bytes instanceof Readable)) await store(key, bytes)
    return size
  }

  return {
    async put(key, bytes) {
      const putting = put(key, bytes)
      puts.add(putting)
      try {
        return await putting
      } finally {
        puts.delete(putting)
      }
    },
    async read(key) {
      const copy = copies.get(key)
      const bytes = copy === undefined ? null : await readFile(copy.file).catch(() => null)
      return bytes ?? (await files.read(key))
    },
    size: async (key) => copies.get(key)?.size ?? (await files.size(key)),
    async stream(key, range) {
      if (range !== undefined) checkRange(range)
      const copy = await openCopy(key, range)
      if (copy !== null) return copy
      if (!accepts(key) || ((await files.size(key)) ?? Infinity) > maxFileBytes) return await files.stream(key, range)
      const bytes = await files.read(key)
      if (bytes === null) return null
      await store(key, bytes)
      const part = range === undefined ? bytes : bytes.subarray(range.start, range.end + 1)
      return Readable.from([part], { objectMode: false })
    },
    async remove(key) {
      copies.delete(key)
      await files.remove(key)
    },
    async removeAll(prefix) {
      for (const key of [...copies.keys()]) if (key.startsWith(`${prefix}/`)) copies.delete(key)
      await files.removeAll(prefix)
    },
    list: files.list,
    probe: files.probe,
    async close() {
      await files.close()
      await Promise.allSettled(puts)
      await rm(root, { recursive: true, force: true })
    }
  }
}
