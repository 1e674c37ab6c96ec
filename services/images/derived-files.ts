import { Readable } from 'node:stream'
import { problem } from '../../errors.ts'
import { sharedResult } from '../../lib/shared-result.ts'
import type { ByteRange, Files } from '../../ports/files/port.ts'
import type { GeneratedFiles } from '../generated-files.ts'
import type { ImageSlots } from './slots.ts'

/** A file that can be created again at any time. */
export interface DerivedFile {
  key: string
  accountId: string
  /** What the file counts as; null: it counts as part of the image. */
  kind: 'image-size' | 'social-image' | null
  /** Its exact size, if known. */
  bytes?: number
  /** Called before the file is created for this request, unless another request is creating it. */
  beforeCreate?: (() => Promise<void>) | undefined
  make: () => Promise<Buffer>
  /** The image or blog that it belongs to, which may be deleted while the file is created. */
  owner?: {
    /** All files whose keys start with this and `/` are removed if it does not exist any more. */
    prefix: string
    exists: () => Promise<boolean>
  }
}

/**
 * An existing file: its size in bytes, and a function that opens it or a range of it, and creates
 * it again if it was removed since.
 */
export interface OpenableFile {
  size: number
  open: (range?: ByteRange) => Promise<Readable>
}

/** Returns a file; creates it if it is missing, empty or of the wrong size. */
export type GetOrCreate = (file: DerivedFile) => Promise<OpenableFile>

interface Parts {
  files: Files
  generatedFiles: GeneratedFiles
  slots: ImageSlots
}

/**
 * Stores derived files. Concurrent requests for one file create it once, in one slot. A failure
 * rejects all of them and is not remembered. Waiting requests get the bytes from memory.
 */
export function createDerivedFiles({ files, generatedFiles, slots }: Parts): GetOrCreate {
  const making = new Map<string, Promise<Buffer>>()
  /**
   * Sizes of files whose new size differs from the record, because another version of the encoder
   * writes other bytes.
   */
  const remade = new Map<string, number>()

  async function make(file: DerivedFile): Promise<Buffer> {
    if (!making.has(file.key)) await file.beforeCreate?.()
    return await sharedResult(making.get(file.key) ?? start(file))
  }

  function start(file: DerivedFile): Promise<Buffer> {
    const run = slots
      .run({ accountId: file.accountId, kind: 'derived' }, async () => {
        const made = await file.make()
        const { key, accountId, kind, owner } = file
        if (kind === null) await files.put(key, made)
        else await generatedFiles.put({ key, accountId, kind }, made)
        // Its files were removed before this one was stored.
        if (owner !== undefined && !(await owner.exists())) await generatedFiles.removeAll(owner.prefix)
        return made
      })
      .finally(() => making.delete(file.key))
    making.set(file.key, run)
    return run
  }

  async function open(file: DerivedFile, range?: ByteRange): Promise<Readable> {
    const stream = await files.stream(file.key, range)
    if (stream !== null) return stream
    return readableOf(await make(file), range)
  }

  return async (file) => {
    const present = await files.size(file.key)
    const expected = remade.get(file.key) ?? file.bytes ?? present
    if (present !== null && present > 0 && present === expected) {
      return { size: present, open: (range) => open(file, range) }
    }
    const made = await make(file)
    if (file.bytes !== undefined && made.length !== file.bytes) remade.set(file.key, made.length)
    return { size: made.length, open: async (range) => readableOf(made, range) }
  }
}

/** Opens a file that cannot be created again; null when it does not exist. */
export async function openExisting(key: string, files: Files): Promise<OpenableFile | null> {
  const size = await files.size(key)
  if (size === null || size === 0) return null
  const open = async (range?: ByteRange): Promise<Readable> => {
    const stream = await files.stream(key, range)
    if (stream === null) throw problem('image_not_found', 'The image was deleted during this request.')
    return stream
  }
  return { size, open }
}

function readableOf(bytes: Buffer, range?: ByteRange): Readable {
  return Readable.from([range === undefined ? bytes : bytes.subarray(range.start, range.end + 1)], {
    objectMode: false
  })
}
