import { createHash } from 'node:crypto'
import type { UnexpectedText, ViewportSnapshot } from '../../../../ports/browser/port/page-snapshot.ts'
import { normalizeText } from './text.ts'

/*
 * Texts in and around the article that are not from the blog. What the pages of other blogs of the site
 * have, too, is a part of the site. Only hashes are stored, because the texts may be long and private.
 */

/** Texts of one page that are remembered. */
const MAX_TEXTS = 60
const HASH_LENGTH = 16

/** The first 64 bits of the SHA-256 of a normalized text, hexadecimal. */
export const hashText = (text: string): string =>
  createHash('sha256').update(normalizeText(text)).digest('hex').slice(0, HASH_LENGTH)

const isNearArticle = ({ scope, inCode }: UnexpectedText): boolean => scope !== 'site' && !inCode

/** The hashes of the texts that the page has in and around the article besides the blog. Sorted, at most 60. */
export function hashSiteTexts(snapshots: readonly ViewportSnapshot[]): string[] {
  const texts = snapshots.flatMap(({ unexpectedTexts }) => unexpectedTexts.filter(isNearArticle))
  return [...new Set(texts.map(({ text }) => hashText(text)))].slice(0, MAX_TEXTS).sort()
}
