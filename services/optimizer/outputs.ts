import { createHash } from 'node:crypto'
import type { ProductRecord } from '../../ports/store/port.ts'
import type { WebhookProduct } from '../../schemas/product.ts'

/** The seven outputs of a product as they are told to receivers: all there, '' where not known. */
export function outputsOf({ externalId, seo }: Pick<ProductRecord, 'externalId' | 'seo'>): WebhookProduct {
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
    .update(JSON.stringify(Object.values(outputsOf(product))))
    .digest('base64url')
}
