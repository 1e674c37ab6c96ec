import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { problem } from '../../../errors.ts'
import { createDeadline, isDuplicateKey } from '../../../lib/mongodb.ts'
import { checkKey, checkRange, guardStream } from '../input.ts'
import type { Files } from '../port.ts'
import { createBlobs, type Blobs, type FileDocument } from './blobs.ts'
import { assertPrepared, openDatabase, prepare, translateError } from './database.ts'

const DEFAULT_SWEEP_INTERVAL_MS = 600_000
const DEFAULT_TIMEOUT_MS = 5000
/** Files that `removeAll` removes at a time. */
const REMOVE_BATCH_SIZE = 500

export interface GridfsOptions {
  url: string
  /**
   * The minimum time between two sweeps of unreferenced blobs by this process, in milliseconds.
   * Default: 10 minutes. `put` and `list` start the sweeps.
   */
  sweepIntervalMs?: number
  /** Operations throw `unavailable` when the server does not respond for this time. Default: 5 s. */
  timeoutMs?: number
}

/**
 * Opens files in a MongoDB database that several processes may share. The bytes of a file are a
 * blob in GridFS, and one document references that blob. Therefore one update replaces a file, and
 * readers of the old bytes can finish. Throws a StartError when no server answers or
 * `prepareGridfs` has not run. Methods reject with an Error for an invalid key, and with
 * `unavailable` when the server does not answer.
 */
export async function openGridfsFiles({
  url,
  sweepIntervalMs = DEFAULT_SWEEP_INTERVAL_MS,
  timeoutMs = DEFAULT_TIMEOUT_MS
}: GridfsOptions): Promise<Files> {
  const { client, db } = await openDatabase(url)
  const withDeadline = createDeadline(db, timeoutMs)
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

  async function run<T>(operation: () => Promise<T>): Promise<T> {
    if (closed) throw problem('unavailable', 'The file storage is closed.')
    try {
      return await withDeadline(operation)
    } catch (error) {
      throw translateError(error)
    }
  }

  // Runs in the background; only `close` waits for it. A failed sweep does not affect the current
  // operation and is repeated by the next one.
  function sweepIfDue(): void {
    if (Date.now() - sweptAt < sweepIntervalMs) return
    sweptAt = Date.now()
    sweeping = blobs
      .sweep(new Date(), () => closed)
      .catch((error: Error) => {
        process.emitWarning(`Unreferenced files could not be deleted: ${error.message}`)
      })
  }

  async function put(key: string, bytes: Uint8Array | Readable): Promise<number> {
    const written = await blobs.write(bytes)
    while (!(await tryReference(blobs, { _id: key, ...written, putAt: new Date() })));
    await blobs.markReferenced(written.blob)
    sweepIfDue()
    return written.size
  }

  const find = async (key: string): Promise<FileDocument | null> => await run(() => blobs.files.findOne({ _id: key }))

  return {
    async put(key, bytes) {
      const release = bytes instanceof Readable ? guardStream(bytes) : () => {}
      try {
        checkKey(key)
        const running = run(() => put(key, bytes)).finally(() => puts.delete(running))
        puts.add(running)
        return await running
      } finally {
        release()
      }
    },

    async read(key) {
      checkKey(key)
      const file = await find(key)
      return file === null ? null : await run(() => buffer(blobs.read(file)))
    },

    async size(key) {
      checkKey(key)
      return (await find(key))?.size ?? null
    },

    async stream(key, range) {
      checkKey(key)
      if (range !== undefined) checkRange(range)
      const file = await find(key)
      return file === null ? null : blobs.read(file, range)
    },

    async remove(key) {
      checkKey(key)
      await run(async () => {
        for (;;) {
          const file = await blobs.files.findOne({ _id: key })
          if (file === null) return
          await blobs.markUnreferenced([file.blob])
          if ((await blobs.files.deleteOne({ _id: key, blob: file.blob })).deletedCount === 1) return
        }
      })
    },

    async removeAll(prefix) {
      checkKey(prefix)
      await run(async () => {
        for (;;) {
          const batch = await blobs.files
            .find({ _id: keysBelow(prefix) })
            .limit(REMOVE_BATCH_SIZE)
            .toArray()
          if (batch.length === 0) return
          await blobs.markUnreferenced(batch.map(({ blob }) => blob))
          await blobs.files.deleteMany({ blob: { $in: batch.map(({ blob }) => blob) } })
        }
      })
    },

    async list({ prefix, afterKey, limit }) {
      if (prefix !== undefined) checkKey(prefix)
      if (limit <= 0) return [] // MongoDB treats 0 as no limit.
      const range = {
        ...(prefix === undefined ? {} : keysBelow(prefix)),
        ...(afterKey === null ? {} : { $gt: prefix === undefined || afterKey > `${prefix}/` ? afterKey : `${prefix}/` })
      }
      const files = await run(() =>
        blobs.files
          .find(Object.keys(range).length === 0 ? {} : { _id: range })
          .sort({ _id: 1 })
          .limit(limit)
          .toArray()
      )
      sweepIfDue()
      return files.map(({ _id: key, size, putAt }) => ({ key, size, putAt: putAt.toISOString() }))
    },

    probe: () => run(() => blobs.probe()),

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
 * Creates missing indexes. Resolves with their names, as `collection.name`. Throws a StartError
 * when no server answers.
 */
export async function prepareGridfs({ url }: { url: string }): Promise<string[]> {
  const { client, db } = await openDatabase(url)
  try {
    return await prepare(db)
  } finally {
    await client.close()
  }
}

/** Makes the file reference its new blob. False when another process changed the file meanwhile. */
async function tryReference({ files, markUnreferenced }: Blobs, file: FileDocument): Promise<boolean> {
  const before = await files.findOne({ _id: file._id })
  if (before !== null) {
    await markUnreferenced([before.blob])
    return (await files.replaceOne({ _id: file._id, blob: before.blob }, file)).matchedCount === 1
  }
  try {
    await files.insertOne(file)
    return true
  } catch (error) {
    if (isDuplicateKey(error)) return false
    throw error
  }
}

/** Keys that start with the prefix and a slash. `0` is the character after the slash. */
const keysBelow = (prefix: string) => ({ $gt: `${prefix}/`, $lt: `${prefix}0` })
