import type { Dirent } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import path from 'node:path'
import { orNull } from './disk-errors.ts'
import { folderPath, INCOMING } from './disk-paths.ts'

export interface ListedFile {
  key: string
  size: number
  putAt: string
}

/**
 * A folder on the way: what the keys below it begin with, and the beginning of a name that was too
 * long for one piece, as it stands on disk.
 */
interface Place {
  folder: string
  prefix: string
  begun: string
}
/** An entry of a folder: `from` is what its keys begin with, or its key. */
interface Entry {
  from: string
  next: Place | null
  file: string | null
}

/**
 * Lists files below `root` in order of key, those after `afterKey`, at most `limit`. Reads one
 * folder at a time.
 */
export async function listFiles(
  root: string,
  { prefix, afterKey, limit }: { prefix?: string; afterKey: string | null; limit: number }
): Promise<ListedFile[]> {
  const start: Place =
    prefix === undefined
      ? { folder: root, prefix: '', begun: '' }
      : { folder: folderPath(root, prefix), prefix: `${prefix}/`, begun: '' }
  const listed: ListedFile[] = []
  for await (const { key, file } of filesOf(start, afterKey)) {
    if (listed.length === limit) break
    const facts = await orNull(() => stat(file))
    if (facts !== null) listed.push({ key, size: facts.size, putAt: facts.mtime.toISOString() })
  }
  return listed
}

async function* filesOf(place: Place, afterKey: string | null): AsyncGenerator<{ key: string; file: string }> {
  const entries = ((await orNull(() => readdir(place.folder, { withFileTypes: true }))) ?? [])
    .filter(({ name }) => name !== INCOMING)
    .map((entry) => entryOf(place, entry))
  // Keys that go on in another folder because they are too long stand between those of this one;
  // such are rare, so all are read before any is given.
  const mixed = entries.some(({ next }) => next !== null && next.begun !== '')
  const found: { key: string; file: string }[] = []
  for (const { from, next, file } of entries.sort((a, b) => (a.from < b.from ? -1 : 1))) {
    const below =
      next === null
        ? one(from, file!)
        : afterKey !== null && next.begun === '' && afterKey >= from && !afterKey.startsWith(from)
          ? none()
          : filesOf(next, afterKey)
    for await (const one of below) {
      if (afterKey !== null && one.key <= afterKey) continue
      if (mixed) found.push(one)
      else yield one
    }
  }
  yield* found.sort((a, b) => (a.key < b.key ? -1 : 1))
}

async function* one(key: string, file: string): AsyncGenerator<{ key: string; file: string }> {
  yield { key, file }
}
async function* none(): AsyncGenerator<{ key: string; file: string }> {}

/** Reads a name on disk back; see disk-paths.ts for how it was made. */
function entryOf({ folder, prefix, begun }: Place, { name }: Dirent): Entry {
  const inside = path.join(folder, name)
  if (name.endsWith('~+')) {
    const longer = begun + name.slice(0, -2)
    return { from: prefix + plain(longer), next: { folder: inside, prefix, begun: longer }, file: null }
  }
  if (!name.endsWith('~')) return { from: prefix + plain(begun + name), next: null, file: inside }
  const from = `${prefix}${plain(begun + name.slice(0, -1))}/`
  return { from, next: { folder: inside, prefix: from, begun: '' }, file: null }
}

const plain = (name: string): string => name.replace(/~([a-z])/g, (_mark, letter: string) => letter.toUpperCase())
