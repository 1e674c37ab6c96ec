import type { ImportErrorRecord, ImportRecord, ProductRecord } from '../port.ts'
import type { Database } from './database.ts'
import { settleLeftEvents } from './events-pending.ts'
import { settleMarks } from './events-marks.ts'
import { showErrors } from './imports-errors.ts'
import {
  documentOf,
  importErrors,
  importOf,
  imports,
  THERE,
  type ImportDocument,
  type ImportErrorDocument
} from './imports-documents.ts'
import { readSettled } from './products-batch-reads.ts'
import { fieldsOf, productOf, products, type ProductDocument } from './products-documents.ts'
import { anyOf, documentMover, documentsAfter, insertEach, type Movers, type Position } from './transfer-mover.ts'

/** Errors that were moved are older than those of any step to come. */
const MOVED_STEP = '0000000000000000 moved'

/** Moves products and imports. What products are searched by is made of them again. */
export function createProductMovers(database: Database): Pick<Movers, 'product' | 'import' | 'importError'> {
  const errors = documentMover<ImportErrorRecord, ImportErrorDocument>({
    collection: importErrors(database),
    filter: { shown: true },
    order: ['importId', 'line'],
    hint: 'report',
    name: ({ importId, line }) => [importId, line],
    documentOf: (error) => ({
      _id: `${error.importId} ${MOVED_STEP} ${error.line}`,
      ...error,
      step: MOVED_STEP,
      shown: true
    }),
    recordOf: ({ _id, step, shown, ...error }) => error,
    places: (records) =>
      [...Map.groupBy(records, ({ importId }) => importId)].map(([importId, theirs]) => ({
        importId,
        line: { $in: theirs.map(({ line }) => line) },
        shown: true as const
      }))
  })
  const imported = documentMover<ImportRecord, ImportDocument>({
    collection: imports(database),
    filter: THERE,
    order: ['_id'],
    name: ({ id }) => [id],
    documentOf,
    recordOf: importOf
  })

  return {
    product: productMover(database),
    import: {
      ...imported,
      page: async (after, limit) => {
        if (after === null) await settleLeftEvents(database, null)
        const { found, at } = await documentsAfter(
          { collection: imports(database), filter: THERE, order: ['_id'] },
          after,
          limit
        )
        for (const record of found) await showErrors(database, record)
        return { records: found.map(importOf), at }
      }
    },
    importError: {
      ...errors,
      // Those of an import that is just being removed go with it.
      page: async (after, limit) => {
        const { records, at } = await errors.page(after, limit)
        const ids = [...new Set(records.map(({ importId }) => importId))]
        const there = new Set(
          (
            await imports(database)
              .find({ _id: { $in: ids }, ...THERE }, { projection: { _id: 1 } })
              .toArray()
          ).map(({ _id }) => _id)
        )
        return { records: records.filter(({ importId }) => there.has(importId)), at }
      }
    }
  }
}

function productMover(database: Database): Movers['product'] {
  const collection = products(database)
  const documentOfProduct = (product: ProductRecord): ProductDocument => ({ _id: product.id, ...fieldsOf(product) })
  /** Those that have an id, an externalId or a claim of these. */
  const places = (records: ProductRecord[]) => [
    { _id: { $in: records.map(({ id }) => id) } },
    ...[...Map.groupBy(records, ({ accountId, projectId }) => JSON.stringify([accountId, projectId])).values()].flatMap(
      (theirs) => {
        const { accountId, projectId } = theirs[0]!
        const claims = theirs.flatMap((product) => product.claims)
        const ofPlace = { accountId, projectId }
        return [
          { ...ofPlace, externalId: { $in: theirs.map(({ externalId }) => externalId) } },
          ...(claims.length === 0 ? [] : [{ ...ofPlace, claims: { $in: claims } }])
        ]
      }
    )
  ]
  const concerns = (found: ProductRecord, { id, accountId, projectId, externalId, claims }: ProductRecord) =>
    found.id === id ||
    (found.accountId === accountId &&
      found.projectId === projectId &&
      (found.externalId === externalId || found.claims.some((claim) => claims.includes(claim))))

  return {
    name: ({ id }) => [id],
    page: async (after, limit) => {
      if (after === null) await settleMarks(database, null)
      let at: Position | null = null
      const found = await readSettled(database, async () => {
        const read = await documentsAfter({ collection, order: ['_id'] }, after, limit)
        at = read.at
        return read.found
      })
      return { records: found.map(productOf), at }
    },
    near: async (records) => {
      const found = (await readSettled(database, async () => await anyOf(collection, places(records)))).map(productOf)
      return records.map((record) => found.filter((one) => concerns(one, record)))
    },
    insert: async (records) => await insertEach(collection, records.map(documentOfProduct))
  }
}
