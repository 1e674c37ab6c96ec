import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { problem } from '../../../errors.ts'
import { checkRange } from '../check-range.ts'
import { holdStream } from '../hold-stream.ts'
import { checkKey } from '../key.ts'
import type { Files } from '../port.ts'
import { createBlobs, type Blobs, type FileDocument } from './blobs.ts'
import { assertPrepared, openDatabase, prepare } from './database.ts'
import { isDuplicate, translated } from './errors.ts'

/** How often a process looks for blobs that nothing names, at most: beside what it is asked for. */
const SWEEP_MS = 600_000
const REMOVE_PORTION = 500

/**
 * Opens files in a MongoDB, which many processes may use at a time. The bytes of a file are a blob
 * in GridFS, and one document says which blob that is: so a file is replaced by one
 * update, and whoever streams the old bytes gets to their end. Throws a StartError when no server
 * answers, or `prepareGridfs` has not run. Methods reject with an Error for a key
 * that is none, and with `unavailable` when the server does not answer.
 */
export async function openGridfsFiles({ url }: { url: string }): Promise<Files> {
  const { client, db } = await openDatabase(url)
  try {
    await assertPrepared(db)
  } catch (error) {
    await client.close()
    throw error
  }
  const blobs = createBlobs(db)
  const puts = new Set<Promise<number>>()
  let closed = false
  let sweptAt = 0
  let sweeping: Promise<void> | undefined

  async function act<T>(act: () => Promise<T>): Promise<T> {
    if (closed) throw problem('unavailable', 'The files are closed.')
    try {
      return await act()
    } catch (error) {
      throw translated(error)
    }
  }

  // Nobody waits for it but the close. A failure says nothing of what was asked for, and the next
  // sweep does it.
  function sweepNowAndThen(): void {
    if (Date.now() - sweptAt < SWEEP_MS) return
    sweptAt = Date.now()
    sweeping = blobs
      .sweep(new Date(), () => closed)
      .catch((error: Error) => {
        process.emitWarning(`Files that nothing names could not be swept away: ${error.message}`)
      })
  }

  async function put(key: string, bytes: Uint8Array | Readable): Promise<number> {
    const written = await blobs.write(bytes)
    while (!(await point(blobs, { _id: key, ...written, putAt: new Date() })));
    await blobs.fasten(written.blob)
    sweepNowAndThen()
    return written.size
  }

  const found = async (key: string): Promise<FileDocument | null> => await act(() => blobs.files.findOne({ _id: key }))

  return {
    async put(key, bytes) {
      const done = bytes instanceof Readable ? holdStream(bytes) : () => {}
      try {
        checkKey(key)
        const running = act(() => put(key, bytes)).finally(() => puts.delete(running))
        puts.add(running)
        return await running
      } finally {
        done()
      }
    },

    async read(key) {
      checkKey(key)
      const file = await found(key)
      return file === null ? null : await act(() => buffer(blobs.read(file)))
    },

    async size(key) {
      checkKey(key)
      return (await found(key))?.size ?? null
    },

    async stream(key, range) {
      checkKey(key)
      if (range !== undefined) checkRange(range)
      const file = await found(key)
      return file === null ? null : blobs.read(file, range)
    },

    async remove(key) {
      checkKey(key)
      await act(async () => {
        for (
          let file = await blobs.files.findOne({ _id: key });
          file !== null;
          file = await blobs.files.findOne({ _id: key })
        ) {
          await blobs.loosen([file.blob])
          if ((await blobs.files.deleteOne({ _id: key, blob: file.blob })).deletedCount === 1) return
        }
      })
    },

    async removeAll(prefix) {
      checkKey(prefix)
      await act(async () => {
        for (;;) {
          const portion = await blobs.files
            .find({ _id: below(prefix) })
            .limit(REMOVE_PORTION)
            .toArray()
          if (portion.length === 0) return
          await blobs.loosen(portion.map(({ blob }) => blob))
          await blobs.files.deleteMany({ blob: { $in: portion.map(({ blob }) => blob) } })
        }
      })
    },

    async list({ prefix, afterKey, limit }) {
      if (prefix !== undefined) checkKey(prefix)
      if (limit <= 0) return [] // The server takes 0 for no limit.
      const range = {
        ...(prefix === undefined ? {} : below(prefix)),
        ...(afterKey === null ? {} : { $gt: prefix === undefined || afterKey > `${prefix}/` ? afterKey : `${prefix}/` })
      }
      const files = await act(() =>
        blobs.files
          .find(Object.keys(range).length === 0 ? {} : { _id: range })
          .sort({ _id: 1 })
          .limit(limit)
          .toArray()
      )
      sweepNowAndThen()
      return files.map(({ _id: key, size, putAt }) => ({ key, size, putAt: putAt.toISOString() }))
    },

    async close() {
      if (closed) return
      closed = true
      await Promise.allSettled(puts)
      await sweeping
      await client.close()
    }
  }
}

/**
 * Makes the indexes that files need and that are missing; resolves with their names, as
 * `collection.name`. Throws a StartError when no server answers.
 */
export async function prepareGridfs({ url }: { url: string }): Promise<string[]> {
  const { client, db } = await openDatabase(url)
  try {
    return await prepare(db)
  } finally {
    await client.close()
  }
}

/**
 * Lets the key stand for this blob; false when somebody else was faster. The blob that it stood for
 * is loose from here on.
 */
async function point({ files, loosen }: Blobs, file: FileDocument): Promise<boolean> {
  const before = await files.findOne({ _id: file._id })
  if (before !== null) {
    await loosen([before.blob])
    return (await files.replaceOne({ _id: file._id, blob: before.blob }, file)).matchedCount === 1
  }
  try {
    await files.insertOne(file)
    return true
  } catch (error) {
    if (isDuplicate(error)) return false
    throw error
  }
}

/** Keys that begin with the prefix and a slash; the character after the slash is the zero. */
const below = (prefix: string) => ({ $gt: `${prefix}/`, $lt: `${prefix}0` })
