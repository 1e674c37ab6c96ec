import { createHash } from 'node:crypto'
import type { ProductRecord } from '../../ports/store/port.ts'
import { RULES_VERSION } from './rules/index.ts'

/**
 * A digest of all that the outputs are made of: those inputs that matter, the rules, the project's
 * brand and the provider with its prompt. Price, currency and
 * availability are not among them. While it is the same, working again would change nothing.
 */
export function sourceDigest(
  product: ProductRecord,
  settings: { brandName: string | null; providerVersion: string | null }
): string {
  const { externalId, title, sku, description, category, brand, attributes, locale, imageUrl, images } = product
  const source = [
    RULES_VERSION,
    settings.providerVersion,
    settings.brandName,
    externalId,
    title,
    sku,
    description,
    category,
    brand,
    Object.entries(attributes),
    locale,
    imageUrl ?? images[0] ?? null
  ]
  return createHash('sha256').update(JSON.stringify(source)).digest('base64url')
}
