import { createHash } from 'node:crypto'
import type { UniqueField } from './rules/index.ts'

const NAMES: Record<UniqueField, string> = {
  handle: 'handle',
  pageTitle: 'page_title',
  metaTitle: 'meta_title',
  metaDescription: 'meta_description'
}
const DIGEST_LENGTH = 22

/**
 * The word that a product of the project holds while it has this text: `handle:red-shoes`,
 * `page_title:<132 bits of SHA-256, base64url>`. Texts that differ in case alone are one.
 */
export function claimOf(field: UniqueField, text: string): string {
  if (field === 'handle') return `${NAMES.handle}:${text}`
  return `${NAMES[field]}:${createHash('sha256').update(text.normalize('NFC').toLowerCase()).digest('base64url').slice(0, DIGEST_LENGTH)}`
}
