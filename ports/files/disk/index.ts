import { randomUUID } from 'node:crypto'
import { open } from 'node:fs'
import { mkdir, readFile, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { StartError } from '../../../errors.ts'
import { createFileStream } from '../../../lib/file-reads.ts'
import { makePrivateTree, PRIVATE_FOLDER } from '../../../lib/private-files.ts'
import { checkKey, checkRange, guardStream } from '../input.ts'
import type { Files } from '../port.ts'
import { createDurableFolders, flushFolder, makeRoot, writeFlushed } from './durability.ts'
import { onDisk, orNull } from './errors.ts'
import { filePath, folderPath, INCOMING, listFiles } from './list.ts'

const openFile = promisify(open)

/** Attempts of a put whose folder is removed at the same time. */
const MAX_ATTEMPTS = 10
/** One block, so that a full disk is noticed. */
const PROBE_BYTES = 4096

/**
 * Opens files in the folder `root`, which is created if needed, and deletes incomplete files left
 * by a crash. Makes all files and folders readable only by their owner. Only one process may use
 * the folder; the lock of the embedded store guarantees that. Throws a StartError when the folder
 * cannot be used. Methods reject with an Error for an invalid key, and with `unavailable` when the
 * disk is full or access is denied. A file can be replaced or removed while it is streamed.
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
    await mkdir(incoming, { mode: PRIVATE_FOLDER })
    makePrivateTree(top)
  } catch (error) {
    throw new StartError(`The folder for files cannot be used: ${top} (${(error as Error).message})`, { cause: error })
  }

  const newPath = () => path.join(incoming, randomUUID())

  async function put(target: string, bytes: Uint8Array | Readable): Promise<number> {
    const incomplete = newPath()
    try {
      const size = await writeFlushed(incomplete, bytes)
      await onDisk(() => moveInto(incomplete, target))
      return size
    } catch (error) {
      // The next start deletes a file that cannot be deleted now. The first error says more.
      await rm(incomplete, { force: true }).catch(() => {})
      throw error
    }
  }

  async function moveInto(source: string, target: string): Promise<void> {
    const folder = path.dirname(target)
    for (let attempt = 1; !(await orNull(() => moveOnce(source, target, folder))); attempt++) {
      if (attempt === MAX_ATTEMPTS) {
        throw new Error(`The folder ${folder} was removed ${MAX_ATTEMPTS} times while a file was put into it`)
      }
      folders.forget()
    }
    // If the folder is gone, the file was removed with it.
    await orNull(() => flushFolder(folder))
  }

  async function moveOnce(source: string, target: string, folder: string): Promise<true> {
    await folders.make(folder)
    await rename(source, target)
    return true
  }

  return {
    async put(key, bytes) {
      const release = bytes instanceof Readable ? guardStream(bytes) : () => {}
      try {
        checkKey(key)
        if (closed) throw new Error('The files are closed')
        const running = put(filePath(top, key), bytes).finally(() => puts.delete(running))
        puts.add(running)
        return await running
      } finally {
        release()
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
      // Opened before it is returned, so that a later removal does not matter. A file descriptor,
      // because Node.js 26 ends the process for a FileHandle that is garbage collected while open.
      const fd = await orNull(() => openFile(filePath(top, key), 'r'))
      return fd === null ? null : createFileStream(fd, range)
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
      const removed = newPath()
      // The rename removes all files atomically. The next start deletes what a crash leaves of
      // them.
      folders.forget()
      const moved = await orNull(async () => {
        await rename(folder, removed)
        await flushFolder(path.dirname(folder))
        return true
      })
      folders.forget()
      if (moved !== null) await onDisk(() => rm(removed, { recursive: true, force: true }))
    },

    async list(page) {
      if (page.prefix !== undefined) checkKey(page.prefix)
      return await listFiles(top, page)
    },

    async probe() {
      if (closed) throw new Error('The files are closed')
      const file = newPath()
      try {
        await writeFlushed(file, Buffer.alloc(PROBE_BYTES))
      } finally {
        await onDisk(() => rm(file, { force: true }))
      }
    },

    async close() {
      closed = true
      await Promise.allSettled(puts)
    }
  }
}
