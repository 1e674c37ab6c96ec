import { createFlatAssembler } from './dialects/flat.ts'
import { putGoogle } from './dialects/google.ts'
import { createShopifyAssembler } from './dialects/shopify.ts'
import { createWoocommerceAssembler } from './dialects/woocommerce.ts'
import type { Layout } from './layout.ts'
import { putField } from './put-field.ts'
import type { Assembler, Row } from './row.ts'

/** What makes rows of the records of a CSV, by its dialect. */
export function createAssembler({ file, columns }: Layout, give: (row: Row) => void): Assembler {
  const delimiter = file.delimiter!
  switch (file.dialect) {
    case 'shopify':
      return createShopifyAssembler({ columns, delimiter }, give)
    case 'woocommerce':
      return createWoocommerceAssembler({ columns, delimiter }, give)
    case 'google':
      return createFlatAssembler(columns, putGoogle, give)
    default:
      return createFlatAssembler(columns, putField, give)
  }
}
