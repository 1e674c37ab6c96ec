import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { StartError } from '../../errors.ts'
import type { Files } from '../../ports/files/port.ts'
import { isSocialFilename } from '../images/index.ts'
import type { BytesEntry, Entry, FileEntry } from './entries.ts'

/**
 * So many bytes stand in a line; a multiple of three, so that a line ends where its base64 does.
 */
const LINE_BYTES = 768 * 1024
const LISTED_AT_ONCE = 500
const FOLDERS = ['images', 'imports', 'visual-checks']

/**
 * Whether the file must be moved: pictures as they were uploaded, social pictures, because links to
 * former ones live on and these cannot be made again, and what imports
 * and visual checks are made of. Narrower pictures and those in other formats are made again by the
 * first who asks.
 */
export function mustMove(key: string): boolean {
  const [folder, , name = '', last] = key.split('/')
  return (
    folder === 'imports' ||
    folder === 'visual-checks' ||
    (folder === 'images' && (last === 'original' || (last === 'base' && isSocialFilename(name))))
  )
}

/**
 * The files that must be moved, in order of key. One that is removed meanwhile is left out. Throws
 * a StartError when one changes while it is read.
 */
export async function* fileEntries(files: Files): AsyncGenerator<FileEntry | BytesEntry> {
  for (const prefix of FOLDERS) {
    let afterKey: string | null = null
    while (true) {
      const page: { key: string }[] = await files.list({ prefix, afterKey, limit: LISTED_AT_ONCE })
      for (const { key } of page.filter(({ key }) => mustMove(key))) yield* entriesOf(files, key)
      if (page.length < LISTED_AT_ONCE) break
      afterKey = page.at(-1)!.key
    }
  }
}

/**
 * A file is read twice when it is larger than a line: its sum comes first, so that whoever has the
 * file already need not write it.
 */
async function* entriesOf(files: Files, key: string): AsyncGenerator<FileEntry | BytesEntry> {
  const known = await summed(files, key)
  if (known === null) return
  yield { kind: 'file', key, ...known }
  const source = await files.stream(key)
  let left = known.size
  for await (const data of portions(source)) {
    left -= data.length
    yield { kind: 'bytes', data: data.toString('base64') }
  }
  if (left !== 0) throw new StartError(`The file ${key} was changed while it was exported: export again.`)
}

/** The size and the SHA-256 of a file; null when there is none. */
async function summed(files: Files, key: string): Promise<Pick<FileEntry, 'size' | 'sha256'> | null> {
  const source = await files.stream(key)
  if (source === null) return null
  const sum = createHash('sha256')
  let size = 0
  for await (const chunk of source as AsyncIterable<Buffer>) {
    size += chunk.length
    sum.update(chunk)
  }
  return { size, sha256: sum.digest('hex') }
}

async function* portions(source: Readable | null): AsyncGenerator<Buffer> {
  let waiting = Buffer.alloc(0)
  for await (const chunk of (source ?? []) as AsyncIterable<Buffer>) {
    waiting = Buffer.concat([waiting, chunk])
    for (; waiting.length >= LINE_BYTES; waiting = waiting.subarray(LINE_BYTES)) yield waiting.subarray(0, LINE_BYTES)
  }
  if (waiting.length > 0) yield waiting
}

/** Whether the file is here already: `same`, or another one of this key. */
export async function compareFile(
  files: Files,
  { key, size, sha256 }: FileEntry
): Promise<'absent' | 'same' | 'other'> {
  const there = await files.size(key)
  if (there === null) return 'absent'
  return there === size && (await summed(files, key))?.sha256 === sha256 ? 'same' : 'other'
}

/**
 * Keeps the file, whose bytes come next. Throws a StartError for a key that is none of a file that
 * is moved.
 */
export async function keepFile(files: Files, { key, size }: FileEntry, entries: AsyncIterator<Entry>): Promise<void> {
  if (!mustMove(key)) throw new StartError(`The export has a file ${JSON.stringify(key)}, which is none that is moved.`)
  await files.put(key, Readable.from(bytesOf(entries, size), { objectMode: false }))
}

/** Passes over the bytes that come next, so many. */
export async function skipFile({ size }: FileEntry, entries: AsyncIterator<Entry>): Promise<void> {
  for (const bytes = bytesOf(entries, size); (await bytes.next()).done !== true; );
}

/** The next bytes, so many; nothing is read beyond them. */
async function* bytesOf(entries: AsyncIterator<Entry>, size: number): AsyncGenerator<Buffer> {
  for (let left = size; left > 0; ) {
    const next = await entries.next()
    if (next.done === true || next.value.kind !== 'bytes') {
      throw new StartError('The export is damaged: a file is not complete.')
    }
    const data = Buffer.from(next.value.data, 'base64')
    left -= data.length
    yield data
  }
}
