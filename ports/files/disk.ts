import { randomUUID } from 'node:crypto'
import { createReadStream, open } from 'node:fs'
import { mkdir, readFile, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { StartError } from '../../errors.ts'
import { onDisk, orNull } from './disk-errors.ts'
import { listFiles } from './disk-list.ts'
import { filePath, folderPath, INCOMING } from './disk-paths.ts'
import { createDurableFolders, flushFolder, makeRoot } from './durable-folders.ts'
import { checkRange } from './check-range.ts'
import { holdStream } from './hold-stream.ts'
import { checkKey } from './key.ts'
import type { Files } from './port.ts'
import { writeSource } from './write-source.ts'

const openFile = promisify(open)

/** How often a put makes its folder again when a removal takes it away at the same moment. */
const MOST_TRIES = 10

/**
 * Opens files in the folder `root`, which is made if it is not there, for one process at a time
 * (the lock of the embedded store sees to that), and sweeps
 * away what a crash left half written. Throws a StartError when the folder cannot be used. Methods
 * reject with an Error for a key that is
 * none, and with `unavailable` when the disk is full or does not let them. A file that is being
 * streamed stays whole while it is replaced or removed.
 */
export async function openDiskFiles(root: string): Promise<Files> {
  const top = path.resolve(root)
  const incoming = path.join(top, INCOMING)
  const folders = createDurableFolders(top)
  const puts = new Set<Promise<number>>()
  let closed = false
  try {
    await makeRoot(top)
    await rm(incoming, { recursive: true, force: true })
    await mkdir(incoming)
  } catch (error) {
    throw new StartError(`The folder for files cannot be used: ${top} (${(error as Error).message})`, { cause: error })
  }

  const newPath = () => path.join(incoming, randomUUID())

  async function put(target: string, bytes: Uint8Array | Readable): Promise<number> {
    const half = newPath()
    try {
      const size = await writeSource(half, bytes)
      await onDisk(() => moveInto(half, target))
      return size
    } catch (error) {
      // What cannot be removed now is swept at the next start; the first error says more.
      await rm(half, { force: true }).catch(() => {})
      throw error
    }
  }

  async function moveInto(half: string, target: string): Promise<void> {
    const folder = path.dirname(target)
    for (let tries = 1; !(await orNull(() => moveOnce(half, target, folder))); tries++) {
      if (tries === MOST_TRIES) {
        throw new Error(`The folder ${folder} was removed again and again while a file was put into it`)
      }
      folders.forget()
    }
    // The file is there; when its folder is gone already, it was removed with it.
    await orNull(() => flushFolder(folder))
  }

  async function moveOnce(half: string, target: string, folder: string): Promise<true> {
    await folders.make(folder)
    await rename(half, target)
    return true
  }

  return {
    async put(key, bytes) {
      const done = bytes instanceof Readable ? holdStream(bytes) : () => {}
      try {
        checkKey(key)
        if (closed) throw new Error('The files are closed')
        const running = put(filePath(top, key), bytes).finally(() => puts.delete(running))
        puts.add(running)
        return await running
      } finally {
        done()
      }
    },

    async read(key) {
      checkKey(key)
      return await orNull(() => readFile(filePath(top, key)))
    },

    async size(key) {
      checkKey(key)
      return (await orNull(() => stat(filePath(top, key))))?.size ?? null
    },

    async stream(key, range) {
      checkKey(key)
      if (range !== undefined) checkRange(range)
      // Open before it is given out, so that it stays whole. A descriptor, as a FileHandle that
      // somebody forgets ends the process under Node 26.
      const fd = await orNull(() => openFile(filePath(top, key), 'r'))
      return fd === null ? null : createReadStream('', { fd, ...range })
    },

    async remove(key) {
      checkKey(key)
      const target = filePath(top, key)
      await orNull(async () => {
        await rm(target)
        await flushFolder(path.dirname(target))
      })
    },

    async removeAll(prefix) {
      checkKey(prefix)
      const folder = folderPath(top, prefix)
      const gone = newPath()
      // All of it is gone at once; what a crash leaves of it is swept with the rest.
      folders.forget()
      const moved = await orNull(async () => {
        await rename(folder, gone)
        await flushFolder(path.dirname(folder))
        return true
      })
      folders.forget()
      if (moved !== null) await onDisk(() => rm(gone, { recursive: true, force: true }))
    },

    async list(page) {
      if (page.prefix !== undefined) checkKey(page.prefix)
      return await listFiles(top, page)
    },

    async close() {
      closed = true
      await Promise.allSettled(puts)
    }
  }
}
