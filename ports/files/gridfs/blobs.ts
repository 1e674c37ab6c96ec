import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { GridFSBucket, ObjectId, type Binary, type Collection, type Db } from 'mongodb'
import type { ByteRange } from '../port.ts'
import { BLOBS, FILES, translateError, UNREFERENCED_BLOBS } from './database.ts'

/** Where the bytes of a file are stored. */
export interface BlobRef {
  blob: ObjectId
  size: number
  chunkBytes: number
}

/** A file and the blob with its bytes. The `_id` is the key. */
export interface FileDocument extends BlobRef {
  _id: string
  putAt: Date
}

/**
 * A chunk of a blob.
 * Source: https://github.com/mongodb/specifications/blob/master/source/gridfs/gridfs-spec.md
 */
export interface Chunk {
  _id: ObjectId
  files_id: ObjectId
  n: number
  data: Binary
}

/**
 * A blob that no file may reference: it is being uploaded, or its file was replaced or removed. It
 * is deleted after `expiresAt` unless a file references it.
 */
interface UnreferencedBlob {
  _id: ObjectId
  expiresAt: Date
  uploading?: true
}

/**
 * The driver writes a chunk to its socket in one turn of the event loop, which took 10 ms for 1 MiB. An import of 1 GiB
 * has four thousand chunks of this size.
 */
const CHUNK_BYTES = 256 * 1024
/** An upload is considered abandoned after a day. */
const UPLOAD_TTL_MS = 24 * 3_600_000
/** The blob of a replaced or removed file is kept for an hour, for readers that stream it. */
const READ_GRACE_MS = 3_600_000
/** Blobs that are deleted at a time. */
const SWEEP_BATCH_SIZE = 100
/** Bytes per fetch, which bounds the memory of a reader. Blobs of earlier versions have chunks of 1 MiB. */
const FETCH_BYTES = 2 * 1024 * 1024

/**
 * Immutable byte sequences in GridFS. A blob is in use when a document in `files` references it.
 * Other blobs are deleted by `sweep`.
 */
export interface Blobs {
  files: Collection<FileDocument>
  /**
   * Stores the bytes as a new, unreferenced blob. When the source fails, nothing readable is left.
   */
  write: (source: Uint8Array | Readable) => Promise<BlobRef>
  read: (ref: BlobRef, range?: ByteRange) => Readable
  /** Makes the first write of an upload, and removes it. */
  probe: () => Promise<void>
  /** Must be called before the files that reference these blobs are replaced or removed. */
  markUnreferenced: (blobs: ObjectId[]) => Promise<void>
  /**
   * Must be called after a file references a new blob. Has no effect if the blob was marked as
   * unreferenced since.
   */
  markReferenced: (blob: ObjectId) => Promise<void>
  /** Deletes expired, unreferenced blobs until none is left or `isStopped` returns true. */
  sweep: (now: Date, isStopped?: () => boolean) => Promise<void>
}

export function createBlobs(db: Db): Blobs {
  const bucket = new GridFSBucket(db, { bucketName: BLOBS, chunkSizeBytes: CHUNK_BYTES })
  const chunks = db.collection<Chunk>(`${BLOBS}.chunks`)
  const files = db.collection<FileDocument>(FILES)
  const unreferenced = db.collection<UnreferencedBlob>(UNREFERENCED_BLOBS)

  async function deleteBlobs(expired: ObjectId[], now: Date): Promise<void> {
    // After a crash between two writes, a file may reference a blob that is listed as unreferenced.
    const found = await files.find({ blob: { $in: expired } }, { projection: { blob: 1 } }).toArray()
    const referenced = new Set(found.map(({ blob }) => blob.toHexString()))
    const deletable = expired.filter((blob) => !referenced.has(blob.toHexString()))
    // Not `bucket.delete`, which rejects a blob that has only chunks.
    await chunks.deleteMany({ files_id: { $in: deletable } })
    await db.collection(`${BLOBS}.files`).deleteMany({ _id: { $in: deletable } })
    // The condition keeps blobs that were marked as unreferenced since.
    await unreferenced.deleteMany({ _id: { $in: expired }, expiresAt: { $lt: now } })
  }

  return {
    files,

    async write(source) {
      const blob = new ObjectId()
      await unreferenced.insertOne({ _id: blob, expiresAt: new Date(Date.now() + UPLOAD_TTL_MS), uploading: true })
      const upload = bucket.openUploadStreamWithId(blob, blob.toHexString())
      try {
        await pipeline(
          source instanceof Readable
            ? source
            : Readable.from([Buffer.from(source.buffer, source.byteOffset, source.byteLength)], { objectMode: false }),
          upload
        )
      } catch (error) {
        // Frees the space now. The blob stays listed as unreferenced, because a chunk may still be
        // on its way: `sweep` deletes the rest. The first error says more than one of this
        // deletion.
        await chunks.deleteMany({ files_id: blob }).catch(() => {})
        throw error
      }
      return { blob, size: upload.length, chunkBytes: CHUNK_BYTES }
    },

    read: (ref, range) => readChunks(chunks, ref, range),

    async probe() {
      const blob = new ObjectId()
      await unreferenced.insertOne({ _id: blob, expiresAt: new Date(Date.now() + UPLOAD_TTL_MS), uploading: true })
      await unreferenced.deleteOne({ _id: blob })
    },

    async markUnreferenced(blobs) {
      const expiresAt = new Date(Date.now() + READ_GRACE_MS)
      await unreferenced.bulkWrite(
        blobs.map((blob) => ({
          updateOne: {
            filter: { _id: blob },
            update: { $set: { expiresAt }, $unset: { uploading: '' } },
            upsert: true
          }
        })),
        { ordered: false }
      )
    },

    async markReferenced(blob) {
      await unreferenced.deleteOne({ _id: blob, uploading: true })
    },

    async sweep(now, isStopped = () => false) {
      while (!isStopped()) {
        const found = await unreferenced
          .find({ expiresAt: { $lt: now } }, { projection: { _id: 1 } })
          .limit(SWEEP_BATCH_SIZE)
          .toArray()
        const expired = found.map(({ _id }) => _id)
        if (expired.length > 0) await deleteBlobs(expired, now)
        if (expired.length < SWEEP_BATCH_SIZE) return
      }
    }
  }
}

/**
 * Streams the bytes of a blob. A range may end after the last byte. The driver's own stream is not
 * used: it leaves its cursor open when it is destroyed and buffers 16 MB at a time. The stream
 * fails when a chunk is missing, and with `unavailable` when the server does not answer.
 */
function readChunks(chunks: Collection<Chunk>, ref: BlobRef, range?: ByteRange): Readable {
  const start = range?.start ?? 0
  const end = Math.min(range?.end ?? Infinity, ref.size - 1)
  return Readable.from(start > end ? [] : generateParts(chunks, ref, { start, end }), { objectMode: false })
}

async function* generateParts(
  chunks: Collection<Chunk>,
  { blob, size, chunkBytes }: BlobRef,
  { start, end }: ByteRange
): AsyncGenerator<Uint8Array> {
  const [first, last] = [Math.floor(start / chunkBytes), Math.floor(end / chunkBytes)]
  const cursor = chunks.find(
    { files_id: blob, n: { $gte: first, $lte: last } },
    { projection: { n: 1, data: 1 }, sort: { n: 1 }, batchSize: Math.max(1, Math.floor(FETCH_BYTES / chunkBytes)) }
  )
  const incomplete = (n: number) => new Error(`Chunk ${n} of blob ${blob.toHexString()} is missing or incomplete`)
  let next = first
  try {
    // Leaving the loop closes the cursor, also when the stream is destroyed.
    for await (const { n, data } of cursor) {
      const bytes = data.value()
      const offset = n * chunkBytes
      if (n !== next || bytes.length !== Math.min(chunkBytes, size - offset)) throw incomplete(next)
      next += 1
      yield bytes.subarray(Math.max(0, start - offset), end - offset + 1)
    }
    if (next <= last) throw incomplete(next)
  } catch (error) {
    throw translateError(error)
  }
}
