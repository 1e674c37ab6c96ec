import type { ProductRecord } from '../../ports/store/port.ts'
import type { Product } from '../../schemas/product.ts'
import { exactNumber } from './exact-json.ts'

/**
 * A product as callers see it. Its price is written digit by digit as it was sent, by
 * JSON.stringify and by nothing else.
 */
export function shownProduct(product: ProductRecord): Product {
  const { imageCheck } = product
  return {
    id: product.id,
    projectId: product.projectId,
    externalId: product.externalId,
    sku: product.sku,
    title: product.title,
    description: product.description,
    price: product.price === null ? null : exactNumber(product.price),
    category: product.category,
    url: product.url,
    imageUrl: product.imageUrl,
    images: product.images,
    brand: product.brand,
    gtin: product.gtin,
    mpn: product.mpn,
    currency: product.currency,
    availability: product.availability,
    locale: product.locale,
    attributes: product.attributes,
    tags: product.tags,
    status: product.status,
    seo: product.seo,
    warnings:
      imageCheck === null || imageCheck.url !== product.imageUrl || imageCheck.warning === null
        ? []
        : [imageCheck.warning],
    createdAt: product.createdAt,
    updatedAt: product.updatedAt
  }
}
