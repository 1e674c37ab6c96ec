import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { StartError } from '../../errors.ts'
import type { Files } from '../../ports/files/port.ts'
import { isSocialFilename } from '../images/index.ts'
import type { BytesEntry, Entry, FileEntry } from './format.ts'

/** Bytes in one line; a multiple of three, so that the base64 of a full line has no padding. */
const LINE_BYTES = 768 * 1024
const PAGE_SIZE = 500
const PREFIXES = ['images', 'imports', 'visual-checks']

/**
 * Whether a file is exported: uploaded images, social images (old links to them stay valid, and
 * they cannot be generated again), and the files of imports and visual checks. Other widths and
 * formats of images are generated on demand.
 */
function isExported(key: string): boolean {
  const [folder, , name = '', variant] = key.split('/')
  return (
    folder === 'imports' ||
    folder === 'visual-checks' ||
    (folder === 'images' && (variant === 'original' || (variant === 'base' && isSocialFilename(name))))
  )
}

/**
 * The exported files by key. A file that is removed meanwhile is left out. Throws a StartError for
 * a file that changes while it is read.
 */
export async function* readFiles(files: Files): AsyncGenerator<FileEntry | BytesEntry> {
  for (const prefix of PREFIXES) {
    let afterKey: string | null = null
    while (true) {
      const page: { key: string }[] = await files.list({ prefix, afterKey, limit: PAGE_SIZE })
      for (const { key } of page.filter(({ key }) => isExported(key))) yield* readEntries(files, key)
      if (page.length < PAGE_SIZE) break
      afterKey = page.at(-1)!.key
    }
  }
}

/** Reads the file twice: its digest comes first, so that an import can skip a file it has. */
async function* readEntries(files: Files, key: string): AsyncGenerator<FileEntry | BytesEntry> {
  const digest = await digestFile(files, key)
  if (digest === null) return
  yield { kind: 'file', key, ...digest }
  const source = await files.stream(key)
  let left = digest.size
  for await (const data of splitChunks(source)) {
    left -= data.length
    yield { kind: 'bytes', data: data.toString('base64') }
  }
  if (left !== 0) throw new StartError(`The file ${key} changed during the export. Export again.`)
}

/** Null if there is no such file. */
async function digestFile(files: Files, key: string): Promise<Pick<FileEntry, 'size' | 'sha256'> | null> {
  const source = await files.stream(key)
  if (source === null) return null
  const digest = createHash('sha256')
  let size = 0
  for await (const chunk of source as AsyncIterable<Buffer>) {
    size += chunk.length
    digest.update(chunk)
  }
  return { size, sha256: digest.digest('hex') }
}

async function* splitChunks(source: Readable | null): AsyncGenerator<Buffer> {
  let buffer = Buffer.alloc(0)
  for await (const chunk of (source ?? []) as AsyncIterable<Buffer>) {
    buffer = Buffer.concat([buffer, chunk])
    for (; buffer.length >= LINE_BYTES; buffer = buffer.subarray(LINE_BYTES)) yield buffer.subarray(0, LINE_BYTES)
  }
  if (buffer.length > 0) yield buffer
}

/** Compares a file of an export with the stored file of the same key. */
export async function compareFile(
  files: Files,
  { key, size, sha256 }: FileEntry
): Promise<'absent' | 'same' | 'different'> {
  const storedSize = await files.size(key)
  if (storedSize === null) return 'absent'
  return storedSize === size && (await digestFile(files, key))?.sha256 === sha256 ? 'same' : 'different'
}

/** Stores a file from the entries that follow. Throws a StartError for a key that is not exported. */
export async function storeFile(files: Files, { key, size }: FileEntry, entries: AsyncIterator<Entry>): Promise<void> {
  if (!isExported(key)) throw new StartError(`The export contains an unexpected file: ${JSON.stringify(key)}.`)
  await files.put(key, Readable.from(readBytes(entries, size), { objectMode: false }))
}

/** Discards the bytes of a file. */
export async function skipFile({ size }: FileEntry, entries: AsyncIterator<Entry>): Promise<void> {
  for (const bytes = readBytes(entries, size); (await bytes.next()).done !== true; );
}

/** The next `size` bytes; reads no further entries. */
async function* readBytes(entries: AsyncIterator<Entry>, size: number): AsyncGenerator<Buffer> {
  for (let left = size; left > 0; ) {
    const next = await entries.next()
    if (next.done === true || next.value.kind !== 'bytes') {
      throw new StartError('The export is damaged: a file is incomplete. Copy the file again, or export again.')
    }
    const data = Buffer.from(next.value.data, 'base64')
    left -= data.length
    yield data
  }
}
