import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { GridFSBucket, ObjectId, type Collection, type Db } from 'mongodb'
import type { ByteRange } from '../port.ts'
import { readChunks, type Bytes, type Chunk } from './read-chunks.ts'

/** A file: which blob has its bytes. The `_id` is the key. */
export interface FileDocument extends Bytes {
  _id: string
  putAt: Date
}
/**
 * A blob that no file may name: one that is being written, or one that was replaced or removed and
 * may still be read. Its time is over at `until`.
 */
interface LooseBlob {
  _id: ObjectId
  until: Date
  writing?: true
}

export const FILES = 'files'
export const LOOSE = 'files_loose'
export const BUCKET = 'files_blobs'

/** Large enough that an import of 1 GiB is a thousand documents, and far below the 16 MB of one. */
const CHUNK_BYTES = 1024 * 1024
/**
 * A blob that is being written is given up after a day, one that was replaced or removed is kept
 * for an hour, so that whoever reads it gets to its end.
 */
const WRITING_MS = 24 * 3_600_000
const READING_MS = 3_600_000
const SWEEP_PORTION = 100

/**
 * Bytes under ids of their own in GridFS. Which of them are files, the pointers in `files` say
 * alone; what is loose is swept away in time.
 */
export interface Blobs {
  files: Collection<FileDocument>
  /**
   * Keeps the bytes under a new id that is loose until a file names it. Leaves nothing readable
   * when the source fails.
   */
  write: (source: Uint8Array | Readable) => Promise<Bytes>
  read: (bytes: Bytes, range?: ByteRange) => Readable
  /** Says before a file lets go of these blobs that nothing names them soon. */
  loosen: (blobs: ObjectId[]) => Promise<void>
  /** A file names the blob now. One that was loosened since stays loose. */
  fasten: (blob: ObjectId) => Promise<void>
  /**
   * Removes blobs whose time is over and that no file names, until there are none or `stopped` says
   * so.
   */
  sweep: (now: Date, stopped?: () => boolean) => Promise<void>
}

export function createBlobs(db: Db): Blobs {
  const bucket = new GridFSBucket(db, { bucketName: BUCKET, chunkSizeBytes: CHUNK_BYTES })
  const chunks = db.collection<Chunk>(`${BUCKET}.chunks`)
  const files = db.collection<FileDocument>(FILES)
  const loose = db.collection<LooseBlob>(LOOSE)

  async function sweepPortion(over: ObjectId[], now: Date): Promise<void> {
    // A crash between two documents may leave a blob loose that a file names.
    const named = new Set(
      (await files.find({ blob: { $in: over } }, { projection: { blob: 1 } }).toArray()).map(({ blob }) =>
        blob.toHexString()
      )
    )
    const gone = over.filter((blob) => !named.has(blob.toHexString()))
    // Not `bucket.delete`, which refuses a blob of which only chunks were written.
    await chunks.deleteMany({ files_id: { $in: gone } })
    await db.collection(`${BUCKET}.files`).deleteMany({ _id: { $in: gone } })
    // Not one that a file has let go of since.
    await loose.deleteMany({ _id: { $in: over }, until: { $lt: now } })
  }

  return {
    files,

    async write(source) {
      const blob = new ObjectId()
      await loose.insertOne({ _id: blob, until: new Date(Date.now() + WRITING_MS), writing: true })
      const upload = bucket.openUploadStreamWithId(blob, blob.toHexString())
      try {
        await pipeline(
          source instanceof Readable
            ? source
            : Readable.from([Buffer.from(source.buffer, source.byteOffset, source.byteLength)], { objectMode: false }),
          upload
        )
      } catch (error) {
        // To have the room again soon. The blob stays loose, as a part may be on its way still:
        // what this leaves is swept later, and the first error says more.
        await chunks.deleteMany({ files_id: blob }).catch(() => {})
        throw error
      }
      return { blob, size: upload.length, chunkBytes: CHUNK_BYTES }
    },

    read: (bytes, range) => readChunks(chunks, bytes, range),

    async loosen(blobs) {
      const until = new Date(Date.now() + READING_MS)
      await loose.bulkWrite(
        blobs.map((blob) => ({
          updateOne: { filter: { _id: blob }, update: { $set: { until }, $unset: { writing: '' } }, upsert: true }
        })),
        { ordered: false }
      )
    },

    async fasten(blob) {
      await loose.deleteOne({ _id: blob, writing: true })
    },

    async sweep(now, stopped = () => false) {
      while (!stopped()) {
        const over = (
          await loose
            .find({ until: { $lt: now } }, { projection: { _id: 1 } })
            .limit(SWEEP_PORTION)
            .toArray()
        ).map(({ _id }) => _id)
        if (over.length > 0) await sweepPortion(over, now)
        if (over.length < SWEEP_PORTION) return
      }
    }
  }
}
