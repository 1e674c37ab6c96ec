import { createHash } from 'node:crypto'
import type { ProductRecord } from '../../ports/store/port.ts'
import type { WebhookProduct } from '../../schemas/product.ts'
import { RULES_VERSION } from './rules/index.ts'

/** The seven outputs of a product as they are told to receivers: all there, '' where not known. */
export function toOutputs({ externalId, seo }: Pick<ProductRecord, 'externalId' | 'seo'>): WebhookProduct {
  return {
    external_id: externalId,
    meta_title: seo.metaTitle?.value ?? '',
    meta_description: seo.metaDescription?.value ?? '',
    page_title: seo.pageTitle?.value ?? '',
    page_description: seo.pageDescription?.value ?? '',
    image_url: seo.imageUrl?.value ?? '',
    handle: seo.handle?.value ?? ''
  }
}

/**
 * A digest of the seven outputs: the same exactly when all of them are the same (SHA-256,
 * base64url).
 */
export function outputsDigest(product: Pick<ProductRecord, 'externalId' | 'seo'>): string {
  return createHash('sha256')
    .update(JSON.stringify(Object.values(toOutputs(product))))
    .digest('base64url')
}

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
