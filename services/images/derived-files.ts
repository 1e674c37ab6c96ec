import { Readable } from 'node:stream'
import { problem } from '../../errors.ts'
import type { ByteRange, Files } from '../../ports/files/port.ts'

/**
 * A file that can be made again at any time. `bytes` is its exact size, where that is known
 * beforehand.
 */
export interface DerivedFile {
  key: string
  bytes?: number
  make: () => Promise<Buffer>
}

/**
 * A file that is there: its size in bytes, and its bytes or the range of them, made again when they
 * went away since.
 */
export interface OpenableFile {
  size: number
  open: (range?: ByteRange) => Promise<Readable>
}

/** Finds a file, or makes it when it is missing, empty or not of the size that it should have. */
export type GetOrCreate = (file: DerivedFile) => Promise<OpenableFile>

/**
 * Keeps what was computed in files. However many ask for one file at once, it is made once, in one
 * slot; a failure is told to those who wait and
 * then forgotten. Who waited for the making gets the bytes from memory.
 */
export function createDerivedFiles(files: Files, runInSlot: RunInSlot): GetOrCreate {
  const making = new Map<string, Promise<Buffer>>()
  /**
   * Files that were made again and differ in size from what the record says: another version of the
   * encoder writes other bytes.
   */
  const remade = new Map<string, number>()

  function make(file: DerivedFile): Promise<Buffer> {
    const running = making.get(file.key)
    if (running !== undefined) return running
    const run = runInSlot(async () => {
      const made = await file.make()
      await files.put(file.key, made)
      return made
    }).finally(() => making.delete(file.key))
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

/** A file that is there or not, and cannot be made again; null when it is not. */
export async function openExisting(key: string, files: Files): Promise<OpenableFile | null> {
  const size = await files.size(key)
  if (size === null || size === 0) return null
  const open = async (range?: ByteRange): Promise<Readable> => {
    const stream = await files.stream(key, range)
    if (stream === null) throw problem('image_not_found', 'The picture was removed at this moment.')
    return stream
  }
  return { size, open }
}

function readableOf(bytes: Buffer, range?: ByteRange): Readable {
  return Readable.from([range === undefined ? bytes : bytes.subarray(range.start, range.end + 1)], {
    objectMode: false
  })
}

/** Runs a piece of work when there is room for it. */
export type RunInSlot = <T>(work: () => Promise<T>) => Promise<T>

/**
 * Lets so many pieces of work run at once, and so many more wait in turn.
 * @throws ApiError `busy` with Retry-After, from the returned function, when as many wait as may.
 */
export function createSlots(limits: { running: number; waiting: number }): RunInSlot {
  const queue: (() => void)[] = []
  let running = 0

  async function enter(): Promise<void> {
    if (running < limits.running) {
      running++
      return
    }
    if (queue.length >= limits.waiting) {
      throw problem('busy', 'Too many pictures are being made at this moment.', { headers: { 'Retry-After': '1' } })
    }
    await new Promise<void>((resolve) => {
      queue.push(resolve)
    })
  }

  /** The slot goes straight to the next in turn, so that nobody who comes now overtakes. */
  function leave(): void {
    const next = queue.shift()
    if (next === undefined) running--
    else next()
  }

  return async (work) => {
    await enter()
    try {
      return await work()
    } finally {
      leave()
    }
  }
}
