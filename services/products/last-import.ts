import type { ProductRecord } from '../../ports/store/port.ts'
import type { UpsertResult } from '../../schemas/product.ts'

/** What the product records of the rows of an import that created or changed it. */
export function toLastImport(
  stored: ProductRecord | undefined,
  importId: string,
  rows: LastImport['rows']
): ProductRecord['lastImport'] {
  const earlier = stored?.lastImport?.importId === importId ? stored.lastImport.firstLine : Infinity
  const first = rows.find(({ result }) => result !== 'unchanged')!
  return { importId, firstLine: Math.min(earlier, first.line), rows }
}

type LastImport = NonNullable<ProductRecord['lastImport']>

/**
 * The result of the row if an earlier attempt already wrote it before the process was killed,
 * otherwise null. The batches of a later attempt may have other sizes.
 */
export function previousResult(
  stored: ProductRecord | undefined,
  { importId, line }: { importId: string | undefined; line: number }
): UpsertResult | null {
  const origin = stored?.lastImport ?? null
  if (origin === null || origin.importId !== importId) return null
  return origin.rows.find((row) => row.line === line)?.result ?? null
}

/** Whether a row of an earlier batch of the import created or changed the product. */
export function isChangedByEarlierRow(
  stored: ProductRecord | undefined,
  { importId, line }: { importId: string | undefined; line: number }
): boolean {
  const origin = stored?.lastImport ?? null
  return origin !== null && origin.importId === importId && origin.firstLine < line
}
