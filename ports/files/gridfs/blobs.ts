import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { GridFSBucket, ObjectId, type Collection, type Db } from 'mongodb'
import type { ByteRange } from '../port.ts'

/** A file: which blob has its bytes. The `_id` is the key. */
export interface FileDocument { _id: string, blob: ObjectId, size: number, putAt: Date }
/** A blob that no file may name: one that is being written, or one that was replaced or removed and may still be read. */
interface LooseBlob { _id: ObjectId, until: Date }

export const FILES = 'files'
export const LOOSE = 'files_loose'
export const BUCKET = 'files_blobs'

/** Large enough that an import of 1 GiB is a thousand documents, and far below the 16 MB of one. */
const CHUNK_BYTES = 1024 * 1024
/** A blob that is being written is given up after a day, one that was replaced or removed is kept for an hour, so that whoever reads it gets to its end. */
const WRITING_MS = 24 * 3_600_000
const READING_MS = 3_600_000
const SWEEP_PORTION = 100

/** Bytes under ids of their own in GridFS. Which of them are files, the pointers in `files` say alone; what is loose is swept away in time. */
export interface Blobs {
  files: Collection<FileDocument>
  /** Keeps the bytes under a new id that is loose until a file names it. Leaves nothing readable when the source fails. */
  write: (source: Uint8Array | Readable) => Promise<{ blob: ObjectId, size: number }>
  read: (blob: ObjectId, range?: ByteRange) => Readable
  /** Says before a file lets go of these blobs that nothing names them soon. */
  loosen: (blobs: ObjectId[]) => Promise<void>
  /** A file names the blob now. */
  fasten: (blob: ObjectId) => Promise<void>
  /** Removes blobs whose time is over and that no file names. */
  sweep: (now: Date) => Promise<void>
}

export function createBlobs (db: Db): Blobs {
  const bucket = new GridFSBucket(db, { bucketName: BUCKET, chunkSizeBytes: CHUNK_BYTES })
  const files = db.collection<FileDocument>(FILES)
  const loose = db.collection<LooseBlob>(LOOSE)

  async function remove (blob: ObjectId): Promise<void> {
    // Not `bucket.delete`, which refuses a blob of which only chunks were written.
    await db.collection(`${BUCKET}.chunks`).deleteMany({ files_id: blob })
    await db.collection(`${BUCKET}.files`).deleteOne({ _id: blob })
    await loose.deleteOne({ _id: blob })
  }

  return {
    files,

    async write (source) {
      const blob = new ObjectId()
      await loose.insertOne({ _id: blob, until: new Date(Date.now() + WRITING_MS) })
      const upload = bucket.openUploadStreamWithId(blob, blob.toHexString())
      try {
        await pipeline(source instanceof Readable ? source : Readable.from([Buffer.from(source.buffer, source.byteOffset, source.byteLength)], { objectMode: false }), upload)
      } catch (error) {
        // What cannot be removed now is swept later; the first error says more.
        await remove(blob).catch(() => {})
        throw error
      }
      return { blob, size: upload.length }
    },

    read: (blob, range) => bucket.openDownloadStream(blob, range === undefined ? undefined : { start: range.start, end: range.end + 1 }),

    async loosen (blobs) {
      const until = new Date(Date.now() + READING_MS)
      await loose.bulkWrite(blobs.map((blob) => ({ updateOne: { filter: { _id: blob }, update: { $set: { until } }, upsert: true } })), { ordered: false })
    },

    async fasten (blob) { await loose.deleteOne({ _id: blob }) },

    async sweep (now) {
      const over = await loose.find({ until: { $lt: now } }).limit(SWEEP_PORTION).toArray()
      for (const { _id: blob } of over) {
        // A crash between the two documents may leave a blob loose that a file names.
        if (await files.findOne({ blob }, { projection: { _id: 1 } }) === null) await remove(blob)
        else await loose.deleteOne({ _id: blob })
      }
    }
  }
}
