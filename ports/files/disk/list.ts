import type { Dirent } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import path from 'node:path'
import { orNull } from './errors.ts'

/** File systems allow 255 bytes per name, and a part of a folder name ends in two markers. */
const MAX_NAME_LENGTH = 250

/**
 * The folder for incomplete files. No key maps to it: names made from keys do not start with `+`.
 */
export const INCOMING = '+incoming'

/**
 * The path of a key below the root. Each segment becomes a name on disk:
 *
 * - Capitals become `~` and the lower-case letter, so that keys that differ in case are different
 *   files on every file system.
 * - Folders end in `~`, so that a key may also be the prefix of other keys.
 * - A segment that is too long for a name continues in a folder that ends in `~+`.
 */
export function filePath(root: string, key: string): string {
  const segments = key.split('/')
  const last = segments.pop() as string
  return path.join(root, ...segments.flatMap(toFolderNames), ...toNames(last))
}

/** The folder of all keys that start with `prefix` + `/`. */
export function folderPath(root: string, prefix: string): string {
  return path.join(root, ...prefix.split('/').flatMap(toFolderNames))
}

function toFolderNames(segment: string): string[] {
  const names = toNames(segment)
  return [...names.slice(0, -1), `${names.at(-1)}~`]
}

function toNames(segment: string): string[] {
  const encoded = segment.replace(/[A-Z]/g, (capital) => `~${capital.toLowerCase()}`)
  const parts = encoded.match(new RegExp(`.{1,${MAX_NAME_LENGTH}}`, 'g')) as string[]
  return parts.map((part, index) => (index < parts.length - 1 ? `${part}~+` : part))
}

const decodeName = (name: string): string => name.replace(/~([a-z])/g, (_match, letter: string) => letter.toUpperCase())

export interface ListedFile {
  key: string
  size: number
  putAt: string
}

/** A folder, the prefix of its keys, and the encoded start of a segment that continues in it. */
interface Place {
  folder: string
  prefix: string
  segmentStart: string
}

/** A folder entry: `start` is the prefix of its keys or, for a file, its key. */
interface Entry {
  start: string
  next: Place | null
  file: string | null
}

type KeyAndFile = { key: string; file: string }

/** Lists files below `root` after `afterKey`, ordered by key. Reads one folder at a time. */
export async function listFiles(
  root: string,
  { prefix, afterKey, limit }: { prefix?: string; afterKey: string | null; limit: number }
): Promise<ListedFile[]> {
  const start: Place =
    prefix === undefined
      ? { folder: root, prefix: '', segmentStart: '' }
      : { folder: folderPath(root, prefix), prefix: `${prefix}/`, segmentStart: '' }
  const listed: ListedFile[] = []
  for await (const { key, file } of walk(start, afterKey)) {
    if (listed.length === limit) break
    const stats = await orNull(() => stat(file))
    if (stats !== null) listed.push({ key, size: stats.size, putAt: stats.mtime.toISOString() })
  }
  return listed
}

async function* walk(place: Place, afterKey: string | null): AsyncGenerator<KeyAndFile> {
  const entries = ((await orNull(() => readdir(place.folder, { withFileTypes: true }))) ?? [])
    .filter(({ name }) => name !== INCOMING)
    .map((entry) => toEntry(place, entry))
  // The keys of a continued segment are sorted between the keys of this folder. Such segments are
  // rare, so that all keys are read before the first one is returned.
  const needsSort = entries.some(({ next }) => next !== null && next.segmentStart !== '')
  const found: KeyAndFile[] = []
  for (const { start, next, file } of entries.sort((a, b) => (a.start < b.start ? -1 : 1))) {
    const keys = next === null ? single(start, file!) : isListed(start, next, afterKey) ? none() : walk(next, afterKey)
    for await (const one of keys) {
      if (afterKey !== null && one.key <= afterKey) continue
      if (needsSort) found.push(one)
      else yield one
    }
  }
  yield* found.sort((a, b) => (a.key < b.key ? -1 : 1))
}

/** True when all keys of the folder precede `afterKey`. */
const isListed = (start: string, next: Place, afterKey: string | null): boolean =>
  afterKey !== null && next.segmentStart === '' && afterKey >= start && !afterKey.startsWith(start)

async function* single(key: string, file: string): AsyncGenerator<KeyAndFile> {
  yield { key, file }
}
async function* none(): AsyncGenerator<KeyAndFile> {}

/** Decodes a name on disk: see `filePath`. */
function toEntry({ folder, prefix, segmentStart }: Place, { name }: Dirent): Entry {
  const inside = path.join(folder, name)
  if (name.endsWith('~+')) {
    const segment = segmentStart + name.slice(0, -2)
    return { start: prefix + decodeName(segment), next: { folder: inside, prefix, segmentStart: segment }, file: null }
  }
  if (!name.endsWith('~')) return { start: prefix + decodeName(segmentStart + name), next: null, file: inside }
  const start = `${prefix}${decodeName(segmentStart + name.slice(0, -1))}/`
  return { start, next: { folder: inside, prefix: start, segmentStart: '' }, file: null }
}
