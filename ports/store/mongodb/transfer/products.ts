import type { ImportErrorRecord, ImportRecord, ProductRecord } from '../../port.ts'
import type { Database } from '../database.ts'
import { recoverPendingEvents } from '../events/pending.ts'
import { resolveProductMarks } from '../events/product-events.ts'
import {
  importCollection,
  importErrorCollection,
  NOT_DELETING,
  publishErrors,
  toImportDocument,
  toImportRecord,
  type ImportDocument,
  type ImportErrorDocument
} from '../imports.ts'
import { readResolved } from '../products/batches.ts'
import { freeDeletedIds } from '../products/deleted.ts'
import { productCollection, toProductFields, toProductRecord, type ProductDocument } from '../products/documents.ts'
import { totalsMark } from '../totals/documents.ts'
import {
  createDocumentHandler,
  documentsAfter,
  findAny,
  insertEach,
  type Position,
  type TransferHandlers
} from './handler.ts'

/** Precedes every later step, so that later errors replace transferred ones. */
const TRANSFERRED_STEP = '0000000000000000 transferred'

/** Transfers products and imports. Search terms of products are derived from the records. */
export function createProductHandlers(
  database: Database
): Pick<TransferHandlers, 'product' | 'import' | 'importError'> {
  const imports = importCollection(database)
  const importHandler = createDocumentHandler<ImportRecord, ImportDocument>({
    collection: imports,
    filter: NOT_DELETING,
    order: ['_id'],
    label: ({ id }) => [id],
    toDocument: toImportDocument,
    toRecord: toImportRecord
  })
  const errorHandler = createDocumentHandler<ImportErrorRecord, ImportErrorDocument>({
    collection: importErrorCollection(database),
    filter: { visible: true },
    order: ['importId', 'line'],
    hint: 'list',
    label: ({ importId, line }) => [importId, line],
    toDocument: (error) => ({
      _id: `${error.importId} ${TRANSFERRED_STEP} ${error.line}`,
      ...error,
      step: TRANSFERRED_STEP,
      visible: true
    }),
    toRecord: ({ _id, step, visible, ...error }) => error,
    existingFilters: (records) =>
      [...Map.groupBy(records, ({ importId }) => importId)].map(([importId, group]) => ({
        importId,
        line: { $in: group.map(({ line }) => line) },
        visible: true as const
      }))
  })

  return {
    product: createProductHandler(database),
    import: {
      label: importHandler.label,
      page: async (after, limit) => {
        if (after === null) await recoverPendingEvents(database, null)
        const source = { collection: imports, filter: NOT_DELETING, order: ['_id'] as [string] }
        const { found, at } = await documentsAfter(source, after, limit)
        for (const record of found) await publishErrors(database, record)
        return { records: found.map(toImportRecord), at }
      },
      findExisting: importHandler.findExisting,
      insert: importHandler.insert
    },
    importError: {
      label: errorHandler.label,
      // Leaves out the errors of an import that is being deleted.
      page: async (after, limit) => {
        const { records, at } = await errorHandler.page(after, limit)
        const ids = [...new Set(records.map(({ importId }) => importId))]
        const found = await imports.find({ _id: { $in: ids }, ...NOT_DELETING }, { projection: { _id: 1 } }).toArray()
        const existing = new Set(found.map(({ _id }) => _id))
        return { records: records.filter(({ importId }) => existing.has(importId)), at }
      },
      findExisting: errorHandler.findExisting,
      insert: errorHandler.insert
    }
  }
}

function createProductHandler(database: Database): TransferHandlers['product'] {
  const products = productCollection(database)
  const toProductDocument = (product: ProductRecord): ProductDocument => ({
    _id: product.id,
    ...toProductFields(product),
    ...totalsMark(product.accountId)
  })
  const existingFilters = (records: ProductRecord[]) => {
    const byProject = Map.groupBy(records, ({ accountId, projectId }) => JSON.stringify([accountId, projectId]))
    const ofProjects = [...byProject.values()].flatMap((group) => {
      const { accountId, projectId } = group[0]!
      const claims = group.flatMap((product) => product.claims)
      return [
        { accountId, projectId, externalId: { $in: group.map(({ externalId }) => externalId) } },
        ...(claims.length === 0 ? [] : [{ accountId, projectId, claims: { $in: claims } }])
      ]
    })
    return [{ _id: { $in: records.map(({ id }) => id) } }, ...ofProjects]
  }
  const collides = (stored: ProductRecord, { id, accountId, projectId, externalId, claims }: ProductRecord) =>
    stored.id === id ||
    (stored.accountId === accountId &&
      stored.projectId === projectId &&
      (stored.externalId === externalId || stored.claims.some((claim) => claims.includes(claim))))

  return {
    label: ({ id }) => [id],
    page: async (after, limit) => {
      if (after === null) await resolveProductMarks(database, null)
      let at: Position | null = null
      const found = await readResolved(database, async () => {
        const page = await documentsAfter({ collection: products, order: ['_id'] }, after, limit)
        at = page.at
        return page.found
      })
      return { records: found.map(toProductRecord), at }
    },
    findExisting: async (records) => {
      const found = await readResolved(database, async () => await findAny(products, existingFilters(records)))
      const stored = found.map(toProductRecord)
      return records.map((record) => stored.filter((product) => collides(product, record)))
    },
    insert: async (records) => {
      await freeDeletedIds(database, records)
      return await insertEach(products, records.map(toProductDocument))
    }
  }
}
