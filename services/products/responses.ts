import type { ProductRecord } from '../../ports/store/port.ts'
import type { Product, ProductBatchResult, ProductWarning, RowNote } from '../../schemas/product.ts'
import { suggestionWarnings } from '../optimizer/suggestions.ts'
import { productJsonLd } from './json-ld.ts'
import { rawNumber } from './price.ts'
import { problem } from '../../errors.ts'
import type { ValidatedRow } from './input.ts'
import type { RowResult } from './write.ts'

/**
 * The API representation of a product. JSON.stringify writes the price with its original digits;
 * other serializers do not.
 */
export function toProductResponse(product: ProductRecord): Product {
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
    groupId: product.groupId,
    status: product.status,
    seo: product.seo,
    warnings: warningsOf(product),
    quality: product.quality,
    schemaOrgJson: productJsonLd(product),
    createdAt: product.createdAt,
    updatedAt: product.updatedAt
  }
}

function warningsOf({ imageCheck, imageUrl, quality, suggestion }: ProductRecord): ProductWarning[] {
  const warnings: ProductWarning[] = []
  if (imageCheck !== null && imageCheck.url === imageUrl && imageCheck.warning !== null) {
    warnings.push(imageCheck.warning)
  }
  if (quality.includes('thin')) {
    warnings.push({
      code: 'source_thin',
      message: 'The description has less than 70 characters of text. Add what the product is made of and who uses it.'
    })
  }
  return [...warnings, ...suggestionWarnings({ suggestion })]
}

/** The result of a batch: `created + updated + failed` always equals the number of rows. */
export function toBatchResponse(rows: ValidatedRow[], written: RowResult[]): ProductBatchResult {
  const count = (result: RowResult['result']) => written.filter((row) => row.result === result).length
  const unchanged = count('unchanged')
  return {
    created: count('created'),
    updated: count('updated') + unchanged,
    unchanged,
    failed: rows.length - written.length,
    errors: rowErrors(rows),
    warnings: [
      ...written
        .filter(({ repeated }) => repeated)
        .map(({ line, product }) => ({
          index: line,
          externalId: product.externalId,
          pointer: `/products/${line}/externalId`,
          code: 'repeated',
          message: 'occurs more than once in this batch; the last occurrence wins'
        })),
      ...rows
        .filter(({ valid }) => valid?.isPriceRounded === true)
        .map(({ line, externalId }) => ({
          index: line,
          externalId,
          pointer: `/products/${line}/price`,
          ...PRICE_ROUNDED
        }))
    ].sort((a, b) => a.index - b.index)
  }
}

/** The warning for a price with more than 4 decimals. */
export const PRICE_ROUNDED: ProductWarning = {
  code: 'price_rounded',
  message: 'The price has more than 4 decimals and was rounded half to even. Round it before sending it.'
}

/** Errors of a batch beyond the first one of each row. */
const MAX_FURTHER_ERRORS = 1000

/** The first error of each invalid row, and further ones to a limit: a row of 300 bytes may have 49. */
function rowErrors(rows: ValidatedRow[]): RowNote[] {
  let further = MAX_FURTHER_ERRORS
  return rows.flatMap(({ line, externalId, errors }) => {
    const listed = errors.slice(0, 1 + further).map((error) => ({
      ...error,
      index: line,
      externalId,
      pointer: `/products/${line}${error.pointer}`
    }))
    further -= Math.max(0, listed.length - 1)
    const omitted = errors.length - listed.length
    if (omitted > 0) listed.at(-1)!.message += `; ${omitted} more errors of this row are not listed`
    return listed
  })
}

/**
 * The error for a batch that wrote nothing, with the same counts and errors as a successful
 * response.
 */
export function batchFailed(rows: ValidatedRow[], detail: string) {
  return problem('batch_failed', detail, {
    members: { created: 0, updated: 0, unchanged: 0, failed: rows.length, warnings: [] },
    errors: rowErrors(rows)
  })
}
