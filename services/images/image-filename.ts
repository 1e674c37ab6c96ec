import { formatOf } from './inspect.ts'

const MAX_STEM = 80
/**
 * Hex digits of the hash in a name: 48 bits, which two pictures of one blog do not share by chance.
 */
const HASH_DIGITS = 12

/**
 * The name that an image is delivered under: the words of its own name in `[a-z0-9_-]`, at most 80
 * characters, then the beginning of its hash, so that
 * whatever has this name never changes.
 * @param name as it was uploaded, with or without folders and extension
 * @param content SHA-256 of the uploaded bytes in hex, and the media type that is delivered
 */
export function imageFilename(name: string, content: { hash: string; type: string }): string {
  const last = name.split(/[\\/]/).at(-1) ?? ''
  const stem = last
    .replace(/\.[A-Za-z0-9]{1,5}$/, '')
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9_]+/g, '-')
    .slice(0, MAX_STEM)
    .replace(/^[-_]+|[-_]+$/g, '')
  const format = formatOf(content.type)
  return `${stem || 'image'}-${content.hash.slice(0, HASH_DIGITS)}.${format === 'jpeg' ? 'jpg' : format}`
}
