import type { ProductRecord } from '../../ports/store/port.ts'
import type { Product, ProductBatchResult, RowNote } from '../../schemas/product.ts'
import { rawNumber } from './price.ts'
import { problem } from '../../errors.ts'
import type { ValidatedRow } from './input.ts'
import type { RowResult } from './write.ts'

/**
 * A product as callers see it. Its price is written digit by digit as it was sent, by
 * JSON.stringify and by nothing else.
 */
export function toProductResponse(product: ProductRecord): Product {
  const { imageCheck } = product
  return {
    id: product.id,
    projectId: product.projectId,
    externalId: product.externalId,
    sku: product.sku,
    title: product.title,
    description: product.description,
    price: product.price === null ? null : rawNumber(product.price),
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

/** What a batch came to, row by row: `created + updated + failed` is the number of rows, always. */
export function toBatchResponse(rows: ValidatedRow[], written: RowResult[]): ProductBatchResult {
  const count = (result: RowResult['result']) => written.filter((row) => row.result === result).length
  const unchanged = count('unchanged')
  return {
    created: count('created'),
    updated: count('updated') + unchanged,
    unchanged,
    failed: rows.length - written.length,
    errors: rowErrors(rows),
    warnings: written
      .filter(({ repeated }) => repeated)
      .map(({ line, product }) => ({
        index: line,
        externalId: product.externalId,
        pointer: `/products/${line}/externalId`,
        code: 'repeated',
        message: 'came before in this batch; the last one wins'
      }))
  }
}

function rowErrors(rows: ValidatedRow[]): RowNote[] {
  return rows.flatMap(({ line, externalId, errors }) =>
    errors.map((error) => ({ ...error, index: line, externalId, pointer: `/products/${line}${error.pointer}` }))
  )
}

/**
 * The refusal of a batch of which nothing was written; it carries the same counts and errors as an
 * answer would.
 */
export function batchFailed(rows: ValidatedRow[], detail: string) {
  return problem('batch_failed', detail, {
    members: { created: 0, updated: 0, unchanged: 0, failed: rows.length, warnings: [] },
    errors: rowErrors(rows)
  })
}
