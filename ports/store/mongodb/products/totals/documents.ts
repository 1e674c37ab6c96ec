import type { CountedCollection, FoldedRecord, TotalsDocument } from '../../totals/documents.ts'
import type { CountedProduct, ProductCountKind, ProductCounts } from './counts.ts'

/** Products, of which a unique index needs the external id. Nobody reads hidden products. */
export const COUNTED_PRODUCTS: CountedCollection = {
  name: 'products',
  reserved: (externalId) => ({ externalId, hidden: true })
}

/** The change of an open batch, which does not count as storage: the batch may be aborted. */
export const UNCOUNTED_FIELDS = ['pending'] as const

export interface ProductTotalsDocument extends TotalsDocument<ProductCounts, FoldedRecord<CountedProduct>> {
  /** Kinds of labels of which the account has too many. */
  uncounted?: ProductCountKind[]
}
