import { createHash } from 'node:crypto'
import type { ProductRecord } from '../../ports/store/port.ts'
import type { WebhookProduct } from '../../schemas/product.ts'
import { RULES_VERSION } from './rules/index.ts'

/**
 * The seven outputs of a product as sent to webhooks. All fields are present; unknown values are
 * empty strings.
 */
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

/** SHA-256 (base64url) of the seven outputs. */
export function outputsDigest(product: Pick<ProductRecord, 'externalId' | 'seo'>): string {
  return createHash('sha256')
    .update(JSON.stringify(Object.values(toOutputs(product))))
    .digest('base64url')
}

export interface DigestSettings {
  brandName: string | null
  locale: string | null
  providerVersion: string | null
  /** The product whose texts the variants of a group share. */
  leader: ProductRecord | null
}

/**
 * A digest of everything that the outputs depend on: the relevant inputs, the rules, the project's
 * brand, and the provider with its prompt. Price, currency and availability are not included. While
 * the digest is unchanged, optimizing again would change nothing.
 */
export function sourceDigest(product: ProductRecord, settings: DigestSettings): string {
  const { imageUrl, images, url, groupId } = product
  const { leader } = settings
  const source = [
    RULES_VERSION,
    settings.providerVersion,
    settings.brandName,
    settings.locale,
    ...textInputs(product),
    imageUrl ?? images[0] ?? null,
    groupId,
    leader === null || leader.id === product.id
      ? null
      : [
          leader.id,
          url,
          leader.url,
          textInputs(leader),
          Object.values(leader.seo).map((text) => (text?.source === 'human' ? text.value : null))
        ]
  ]
  return createHash('sha256').update(JSON.stringify(source)).digest('base64url')
}

function textInputs({ externalId, title, sku, description, category, brand, attributes, locale }: ProductRecord) {
  return [externalId, title, sku, description, category, brand, Object.entries(attributes), locale]
}
