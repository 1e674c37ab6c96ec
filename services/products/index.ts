import { problem } from '../../errors.ts'
import { createYielder } from '../../lib/async.ts'
import { normalize } from '../../lib/normalize.ts'
import type { Queue } from '../../ports/queue/port.ts'
import type { ProductRecord, ProjectRef, Store } from '../../ports/store/port.ts'
import {
  MAX_ATOMIC_LENGTH,
  MAX_ATOMIC_PRODUCTS,
  QUALITY_CODES,
  type OptimizeRequest,
  type ProductBatch,
  type ProductBatchResult,
  type ProductInput,
  type ProductStatus,
  type ProductWarning,
  type QualityCode,
  type UpsertResult,
  type ProductQuality,
  type SeoPlugin,
  type ShopFormat
} from '../../schemas/product.ts'
import { toUtc } from '../../schemas/formats.ts'
import type { Page } from '../../schemas/page.ts'
import { queryTerms } from '../blogs/search-terms.ts'
import { assertProjectAllowed } from '../blogs/writing.ts'
import type { Operation } from '../ids.ts'
import type { Projects } from '../projects.ts'
import { runInTurns } from './chunk-sizes.ts'
import { shopCsv } from './shop-export.ts'
import { batchFailed, PRICE_ROUNDED, toBatchResponse, toProductResponse } from './responses.ts'
import { createProductEditor, type ProductReader } from './edit.ts'
import { parseWithPrices } from './price.ts'
import { projectKey, addFollowUpJobs } from './follow-up-jobs.ts'
import { canonicalExternalId, categoryPath, validateRow, type SchemaValidator, type ValidatedRow } from './input.ts'
import type { ProductWriter, ValidRow } from './write.ts'

export type Products = ReturnType<typeof createProducts>

export interface ProductQuery extends Page {
  projectId?: string
  status?: ProductStatus
  category?: string
  sku?: string
  externalId?: string
  groupId?: string
  handle?: string
  quality?: QualityCode
  updatedSince?: string
  q?: string
}

interface Dependencies {
  store: Store
  queue: Queue
  projects: Projects
  writer: ProductWriter
  check: SchemaValidator
}

/** Products of a back office: upsert one or a batch, list, change, delete, request optimization. */
export function createProducts({ store, queue, projects, writer, check }: Dependencies) {
  const editor = createProductEditor({ store, queue })

  return {
    ...editor,
    parse: parseWithPrices,
    toResponse: toProductResponse,

    /**
     * Creates or updates the product of this externalId. A retry has the result of the first attempt.
     * Throws `invalid_request`.
     */
    async upsert(
      reader: ProductReader,
      input: ProductInput,
      operation?: Operation
    ): Promise<{ product: ProductRecord; result: UpsertResult; warnings: ProductWarning[] }> {
      const { projectId } = input
      assertProjectAllowed(reader, projectId)
      const { valid, errors } = validateRow({ line: 0, value: input }, { projectId, check })
      if (valid === null) {
        throw problem('invalid_request', errors.map(({ pointer, message }) => `${pointer} ${message}.`).join(' '), {
          errors
        })
      }
      const project = await projects.resolveForWrite(reader.accountId, projectId)
      const [written] = await writer.write([valid], { project, operationId: operation?.id })
      await addFollowUpJobs(queue, toProjectRef(reader, projectId), [written!.product])
      return { ...written!, warnings: valid.isPriceRounded === true ? [PRICE_ROUNDED] : [] }
    },

    /**
     * Writes the valid rows even if others are invalid; with `atomic`, all rows or none. A retry has
     * the results of the first attempt. Throws `batch_failed` if nothing is written.
     */
    async batch(
      reader: ProductReader,
      { projectId, products }: ProductBatch,
      {
        atomic = false,
        dryRun = false,
        operation,
        ids
      }: {
        atomic?: boolean
        dryRun?: boolean
        operation?: Operation | undefined
        /** The ids of new products by externalId. Default: generated. */
        ids?: ReadonlyMap<string, string>
      }
    ): Promise<ProductBatchResult> {
      assertProjectAllowed(reader, projectId)
      const pause = createYielder()
      const rows: ValidatedRow[] = []
      for (const [line, value] of products.entries()) {
        rows.push(validateRow({ line, value }, { projectId, check }))
        await pause()
      }
      const valid = rows.flatMap((row) => row.valid ?? [])
      const invalidCount = rows.length - valid.length
      if (valid.length === 0) {
        throw batchFailed(rows, `None of the ${rows.length} products is valid. Nothing was written.`)
      }
      if (atomic) assertAtomicSize(valid)
      if (atomic && invalidCount > 0) {
        throw batchFailed(
          rows,
          `Nothing was written: the request is atomic, and ${invalidCount} of ${rows.length} products are invalid.`
        )
      }
      const project = dryRun
        ? await projects.resolveForDryRun(reader.accountId, projectId)
        : await projects.resolveForWrite(reader.accountId, projectId)
      const written = await writer.write(valid, { project, atomic, dryRun, operationId: operation?.id, ids })
      if (!dryRun) {
        await addFollowUpJobs(
          queue,
          toProjectRef(reader, projectId),
          written.map(({ product }) => product)
        )
      }
      return toBatchResponse(rows, written)
    },

    async list(reader: ProductReader, query: ProductQuery) {
      assertProjectAllowed(reader, query.projectId)
      const { page, pageSize, q, updatedSince, externalId, category, sku, ...filter } = query
      const terms = q === undefined ? undefined : queryTerms(q)
      const exact = {
        ...(externalId === undefined ? {} : { externalId: canonicalExternalId(externalId) }),
        ...(sku === undefined ? {} : { sku: normalize(sku.trim(), 'NFC') }),
        ...(category === undefined ? {} : { category: categoryPath(category) ?? '' }),
        ...(updatedSince === undefined ? {} : { updatedSince: toUtc(updatedSince) })
      }
      // A query without any searchable word ("!!") matches nothing.
      const { products, totalCount } =
        terms?.length === 0
          ? { products: [], totalCount: 0 }
          : await store.products.list(
              { ...reader, ...filter, ...exact, ...(terms === undefined ? {} : { terms }) },
              { page, pageSize }
            )
      return {
        products: products.map(toProductResponse),
        totalCount,
        page,
        totalPages: Math.ceil(totalCount / pageSize)
      }
    },

    /** The number of products with each problem of their texts. */
    async quality(reader: ProductReader, projectId: string): Promise<ProductQuality> {
      assertProjectAllowed(reader, projectId)
      const count = async (quality?: QualityCode) => {
        const filter = { ...reader, projectId, ...(quality === undefined ? {} : { quality }) }
        return (await store.products.list(filter, { page: 1, pageSize: 0 })).totalCount
      }
      const counts: [QualityCode, number][] = []
      for (const code of QUALITY_CODES) counts.push([code, await count(code)])
      return { projectId, total: await count(), ...(Object.fromEntries(counts) as Record<QualityCode, number>) }
    },

    /** The texts of a project's products as a CSV file for a shop: see `shopCsv`. */
    exportCsv(
      reader: ProductReader,
      options: { projectId: string; format: ShopFormat; seoPlugin: SeoPlugin }
    ): AsyncGenerator<string> {
      assertProjectAllowed(reader, options.projectId)
      return shopCsv(store, { ...reader, ...options })
    },

    /**
     * Marks products as pending for optimization and returns their number. Throws
     * `project_not_found`.
     */
    async optimize(reader: ProductReader, { projectId, externalIds, force = false }: OptimizeRequest): Promise<number> {
      assertProjectAllowed(reader, projectId)
      if ((await store.projects.find(reader.accountId, projectId)) === null) {
        throw problem('project_not_found', `There is no project "${projectId}" in this account.`)
      }
      const project = toProjectRef(reader, projectId)
      const ids = externalIds === undefined ? null : externalIds.map(canonicalExternalId)
      const at = new Date().toISOString()
      const queued = await runInTurns(
        { isRemote: store.isRemote, accountId: reader.accountId, rows: ids?.length ?? Infinity },
        () => store.products.markOptimizePending(project, { externalIds: ids, at, force })
      )
      if (queued > 0) await queue.add('optimize-products', project, { key: projectKey(project) })
      return queued
    }
  }
}

const toProjectRef = ({ accountId }: ProductReader, projectId: string): ProjectRef => ({ accountId, projectId })

/** Throws a 413 if a batch is too large to be written in one transaction. */
function assertAtomicSize(rows: ValidRow[]): void {
  const length = rows.reduce(
    (sum, { change: { description, attributes } }) =>
      sum + (description?.length ?? 0) + Object.values(attributes ?? {}).reduce((all, text) => all + text.length, 0),
    0
  )
  if (rows.length <= MAX_ATOMIC_PRODUCTS && length <= MAX_ATOMIC_LENGTH) return
  throw problem(
    'payload_too_large',
    `An atomic batch may have at most ${MAX_ATOMIC_PRODUCTS.toLocaleString('en')} products, with at most ` +
      `${MAX_ATOMIC_LENGTH.toLocaleString('en')} characters in descriptions and attributes. ` +
      'Send several batches, or leave out `atomic`.',
    { members: { limit: MAX_ATOMIC_PRODUCTS } }
  )
}
