import path from 'node:path'

/**
 * Most characters of a name on disk; file systems take 255 bytes, and a piece of a folder's name
 * ends in two marks.
 */
const LONGEST_NAME = 250

/**
 * The folder for what is not whole yet. No key leads there: in names made from keys a `+` comes
 * last or not at all.
 */
export const INCOMING = '+incoming'

/**
 * The path of a key below the root. A name on disk is the segment, with a `~` before each capital,
 * so that keys which differ in case are
 * different files on every file system; folders end in `~`, so that a key may also be the prefix of
 * others; what is longer than a name may be
 * is continued in a folder that ends in `~+`.
 */
export function filePath(root: string, key: string): string {
  const segments = key.split('/')
  const name = segments.pop() as string
  return path.join(root, ...segments.flatMap(folderNames), ...namesOf(name))
}

/** The path of the folder of everything whose key begins with `prefix` + `/`. */
export function folderPath(root: string, prefix: string): string {
  return path.join(root, ...prefix.split('/').flatMap(folderNames))
}

function folderNames(segment: string): string[] {
  const names = namesOf(segment)
  return [...names.slice(0, -1), `${names.at(-1)}~`]
}

function namesOf(segment: string): string[] {
  const plain = segment.replace(/[A-Z]/g, (capital) => `~${capital.toLowerCase()}`)
  const pieces = plain.match(new RegExp(`.{1,${LONGEST_NAME}}`, 'g')) as string[]
  return pieces.map((piece, index) => (index < pieces.length - 1 ? `${piece}~+` : piece))
}
