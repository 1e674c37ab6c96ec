import type { Readable } from 'node:stream'
import { refuse } from '../../errors.ts'
import type { ByteRange, Files } from '../../ports/files/port.ts'
import type { RunInSlot } from './slots.ts'

/** A file that can be made again at any time. `bytes` is its exact size, where that is known beforehand. */
export interface Remakeable { key: string, bytes?: number, make: () => Promise<Buffer> }

export interface KeptFiles {
  /** The size in bytes of the file, which is made when it is missing, empty or not of the size that it should have. */
  size: (file: Remakeable) => Promise<number>
  /** Its bytes, or the range of them; made again when it went away since. */
  open: (file: Remakeable, range?: ByteRange) => Promise<Readable>
}

/**
 * Keeps what was computed in files. However many ask for one file at once, it is made once, in one slot; a failure is told to those who wait and
 * then forgotten.
 */
export function createKeptFiles (files: Files, runInSlot: RunInSlot): KeptFiles {
  const making = new Map<string, Promise<number>>()
  /** Files that were made again and differ in size from what the record says: another version of the encoder writes other bytes. */
  const remade = new Map<string, number>()

  function make (file: Remakeable): Promise<number> {
    const running = making.get(file.key)
    if (running !== undefined) return running
    const run = runInSlot(async () => files.put(file.key, await file.make())).finally(() => making.delete(file.key))
    making.set(file.key, run)
    return run
  }

  async function size (file: Remakeable): Promise<number> {
    const present = await files.size(file.key)
    const expected = remade.get(file.key) ?? file.bytes ?? present
    if (present !== null && present > 0 && present === expected) return present
    const made = await make(file)
    if (file.bytes !== undefined && made !== file.bytes) remade.set(file.key, made)
    return made
  }

  async function open (file: Remakeable, range?: ByteRange): Promise<Readable> {
    const stream = await files.stream(file.key, range)
    if (stream !== null) return stream
    await make(file)
    const again = await files.stream(file.key, range)
    if (again === null) throw refuse('image_not_found', 'The picture was removed at this moment.')
    return again
  }

  return { size, open }
}
