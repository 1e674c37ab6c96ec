import { problem } from '../../errors.ts'
import type { Queue } from '../../ports/queue/port.ts'
import type { ProductRecord, ProjectRef, Store } from '../../ports/store/port.ts'
import type {
  OptimizeRequest,
  ProductBatch,
  ProductBatchResult,
  ProductInput,
  ProductStatus,
  UpsertResult
} from '../../schemas/product.ts'
import type { Page } from '../../schemas/page.ts'
import { queryTerms } from '../blogs/search-terms.ts'
import { assertProjectAllowed } from '../blogs/writing.ts'
import type { Projects } from '../projects.ts'
import { batchFailed, toBatchResponse, toProductResponse } from './responses.ts'
import { createProductEditor, type ProductReader } from './edit.ts'
import { parseWithPrices } from './price.ts'
import { projectKey, addFollowUpJobs } from './follow-up-jobs.ts'
import { canonicalExternalId, categoryPath, validateRow, type SchemaValidator } from './input.ts'
import type { ProductWriter } from './write.ts'

export type Products = ReturnType<typeof createProducts>

export interface ProductQuery extends Page {
  projectId?: string
  status?: ProductStatus
  category?: string
  sku?: string
  externalId?: string
  updatedSince?: string
  q?: string
}

interface Parts {
  store: Store
  queue: Queue
  projects: Projects
  writing: ProductWriter
  check: SchemaValidator
}

/**
 * Products from the back office: one, or a batch; read, changed by people, optimized on request.
 */
export function createProducts({ store, queue, projects, writing, check }: Parts) {
  const editing = createProductEditor({ store, queue })

  return {
    ...editing,
    parse: parseWithPrices,
    shown: toProductResponse,

    /** Creates or updates the product of this externalId. Throws `invalid_request`. */
    async upsert(
      reader: ProductReader,
      input: ProductInput
    ): Promise<{ product: ProductRecord; result: UpsertResult }> {
      const { projectId } = input
      assertProjectAllowed(reader, projectId)
      const { valid: sound, errors } = validateRow({ line: 0, value: input }, { projectId, check })
      if (sound === null) {
        throw problem('invalid_request', errors.map(({ pointer, message }) => `${pointer} ${message}.`).join(' '), {
          errors
        })
      }
      const project = await projects.resolveForWrite(reader.accountId, projectId)
      const [written] = await writing.write([sound], { project })
      await addFollowUpJobs(queue, placeOf(reader, projectId), [written!.product])
      return written!
    },

    /**
     * Good rows are written though others are bad; with `atomic` all or none. Throws `batch_failed`
     * when nothing is written.
     */
    async batch(
      reader: ProductReader,
      { projectId, products }: ProductBatch,
      { atomic = false, dryRun = false }: { atomic?: boolean; dryRun?: boolean }
    ): Promise<ProductBatchResult> {
      assertProjectAllowed(reader, projectId)
      const rows = products.map((value, line) => validateRow({ line, value }, { projectId, check }))
      const sound = rows.flatMap((row) => row.valid ?? [])
      const bad = rows.length - sound.length
      if (sound.length === 0) throw batchFailed(rows, `None of the ${rows.length} products could be taken.`)
      if (atomic && bad > 0) {
        throw batchFailed(
          rows,
          `Nothing was written: atomic was asked for, and ${bad} of ${rows.length} products could not be taken.`
        )
      }
      const project = dryRun
        ? await projects.resolveForDryRun(reader.accountId, projectId)
        : await projects.resolveForWrite(reader.accountId, projectId)
      const written = await writing.write(sound, { project, atomic, dryRun })
      if (!dryRun) {
        await addFollowUpJobs(
          queue,
          placeOf(reader, projectId),
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
        ...(sku === undefined ? {} : { sku: sku.trim().normalize('NFC') }),
        ...(category === undefined ? {} : { category: categoryPath(category) ?? '' }),
        ...(updatedSince === undefined ? {} : { updatedSince: new Date(updatedSince).toISOString() })
      }
      // Words that fold to nothing ("!!") are found nowhere.
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

    /** Lets products be optimized; returns how many wait now. Throws `project_not_found`. */
    async optimize(reader: ProductReader, { projectId, externalIds, force = false }: OptimizeRequest): Promise<number> {
      assertProjectAllowed(reader, projectId)
      if ((await store.projects.find(reader.accountId, projectId)) === null) {
        throw problem('project_not_found', `There is no project "${projectId}" in this account.`)
      }
      const place = placeOf(reader, projectId)
      const ids = externalIds === undefined ? null : externalIds.map(canonicalExternalId)
      const queued = await store.products.markOptimizePending(place, {
        externalIds: ids,
        at: new Date().toISOString(),
        force
      })
      if (queued > 0) await queue.add('optimize-products', place, { key: projectKey(place) })
      return queued
    }
  }
}

const placeOf = ({ accountId }: ProductReader, projectId: string): ProjectRef => ({ accountId, projectId })
