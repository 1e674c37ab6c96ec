import type { ProductRecord, ProductWrite, ProjectRef, Store } from '../../ports/store/port.ts'
import { createDraft, fixedValue, applyDraft, type Draft } from './draft.ts'
import type { SeoProvider, Suggestion } from './provider/index.ts'
import { resolveClaims } from './unique-texts.ts'
import { sourceDigest } from './outputs.ts'

/** Attempts for products whose texts were claimed by another product during the save. */
const MAX_ROUNDS = 5
const NO_SUGGESTION: Suggestion = {}

/**
 * The result of a batch. `completed` counts the products that are no longer pending, failed ones
 * included.
 */
export interface BatchResult {
  optimized: ProductRecord[]
  failures: unknown[]
  completed: number
}

interface Task {
  project: ProjectRef
  signal: AbortSignal
}
interface BatchContext extends Task {
  brandName: string | null
  siblings: Map<string, Pick<ProductRecord, 'id' | 'attributes'>[]>
  suggestions: Map<string, Suggestion>
  result: BatchResult
}

/**
 * Optimizes products in batches, so that the store is queried a few times per batch instead of per
 * product.
 */
export function createBatchOptimizer({ store, provider }: { store: Store; provider: SeoProvider | null }) {
  const currentDigest = (product: ProductRecord, brandName: string | null) =>
    sourceDigest(product, { brandName, providerVersion: provider?.version ?? null })

  /**
   * Saves the next versions. Returns the saved products and the ids whose claims another product
   * holds. Products that changed in the meantime stay pending.
   */
  async function save(products: ProductRecord[]): Promise<{ saved: ProductRecord[]; taken: Set<string> }> {
    const writes: ProductWrite[] = products.map((product) => ({ product, ifVersion: product.version - 1 }))
    const outcomes = writes.length === 0 ? [] : await store.products.saveMany(writes)
    return {
      saved: products.filter((_, i) => outcomes[i] === 'saved'),
      taken: new Set(products.filter((_, i) => outcomes[i] === 'taken').map(({ id }) => id))
    }
  }

  async function fail(failed: { product: ProductRecord; reason: unknown }[], { result }: BatchContext): Promise<void> {
    const at = new Date().toISOString()
    const { saved } = await save(
      failed.map(({ product }) => ({
        ...product,
        version: product.version + 1,
        status: 'failed',
        optimizePendingSince: null,
        updatedAt: at
      }))
    )
    result.completed += saved.length
    result.failures.push(...failed.map(({ reason }) => reason))
  }

  /**
   * Sets the status `optimizing` before a provider is called, which takes a while. Returns the
   * products that have not changed since they were read.
   */
  async function markOptimizing(products: ProductRecord[]): Promise<ProductRecord[]> {
    const alreadyMarked = products.filter(({ status }) => status === 'optimizing')
    const { saved } = await save(
      products
        .filter(({ status }) => status !== 'optimizing')
        .map((product) => ({ ...product, version: product.version + 1, status: 'optimizing' }))
    )
    return [...alreadyMarked, ...saved]
  }

  async function runRound(products: ProductRecord[], context: BatchContext): Promise<ProductRecord[]> {
    const failed: { product: ProductRecord; reason: unknown }[] = []
    const drafts = mapOrFail(products, failed, (product) =>
      createDraft(
        product,
        { brandName: context.brandName, siblings: context.siblings.get(product.title) ?? [] },
        context.suggestions.get(product.id) ?? NO_SUGGESTION
      )
    )
    const completed = Map.groupBy(
      await resolveClaims(
        drafts.flatMap(({ requests }) => requests),
        (claims) => store.products.findClaimOwners(context.project, claims)
      ),
      ({ request }) => request.productId
    )
    const at = new Date().toISOString()
    const byId = new Map(drafts.map((draft) => [draft.product.id, draft]))
    const optimized = mapOrFail(
      drafts.map(({ product }) => product),
      failed,
      (product) =>
        applyDraft(byId.get(product.id) as Draft, completed.get(product.id) ?? [], {
          from: currentDigest(product, context.brandName),
          at
        })
    )
    const { saved, taken } = await save(optimized)
    context.result.optimized.push(...saved)
    context.result.completed += saved.length
    await fail(failed, context)
    return products.filter(({ id }) => taken.has(id))
  }

  async function fetchSuggestions(
    products: ProductRecord[],
    { signal, brandName }: { signal: AbortSignal; brandName: string | null }
  ): Promise<Map<string, Suggestion>> {
    if (provider === null) return new Map()
    const candidates = products.filter((product) =>
      (['metaTitle', 'metaDescription', 'pageTitle'] as const).some((field) => fixedValue(product, field) === null)
    )
    return new Map(
      await Promise.all(
        candidates.map(async (product) => [product.id, await provider.suggest({ product, brandName }, signal)] as const)
      )
    )
  }

  return {
    /**
     * Optimizes pending products. A product whose optimization throws becomes `failed`. After an
     * abort, unsaved products stay pending.
     */
    async optimize(due: ProductRecord[], { project, signal }: Task): Promise<BatchResult> {
      const brandName = (await store.projects.find(project.accountId, project.projectId))?.brandName ?? null
      const result: BatchResult = { optimized: [], failures: [], completed: 0 }
      const context: BatchContext = { project, signal, brandName, result, siblings: new Map(), suggestions: new Map() }
      const failed: { product: ProductRecord; reason: unknown }[] = []
      const [unchanged, changed] = partition(
        due,
        failed,
        (product) =>
          product.optimizedFromDigest === currentDigest(product, brandName) &&
          Object.values(product.seo).every((value) => value !== null)
      )
      const { saved } = await save(
        unchanged.map((product) => ({
          ...product,
          version: product.version + 1,
          status: 'optimized',
          optimizePendingSince: null
        }))
      )
      result.completed += saved.length
      await fail(failed, context)
      let remaining = provider === null ? changed : await markOptimizing(changed)
      if (remaining.length === 0) return result
      context.siblings = Map.groupBy(
        await store.products.findByTitles(project, [...new Set(remaining.map(({ title }) => title))]),
        ({ title }) => title
      )
      context.suggestions = await fetchSuggestions(remaining, { signal, brandName })
      for (let attempt = 0; attempt < MAX_ROUNDS && remaining.length > 0 && !signal.aborted; attempt++) {
        remaining = await runRound(remaining, context)
      }
      if (!signal.aborted) {
        await fail(
          remaining.map((product) => ({
            product,
            reason: new Error(`No unique text is left for product ${product.id}: other products hold all candidates.`)
          })),
          context
        )
      }
      return result
    }
  }
}

/** Maps the products; those for which `work` throws are added to `failed`. */
function mapOrFail<T>(
  products: ProductRecord[],
  failed: { product: ProductRecord; reason: unknown }[],
  work: (product: ProductRecord) => T
): T[] {
  return products.flatMap((product) => {
    try {
      return [work(product)]
    } catch (reason) {
      failed.push({ product, reason })
      return []
    }
  })
}

function partition(
  products: ProductRecord[],
  failed: { product: ProductRecord; reason: unknown }[],
  test: (product: ProductRecord) => boolean
): [ProductRecord[], ProductRecord[]] {
  const tested = mapOrFail(products, failed, (product) => ({ product, passes: test(product) }))
  return [
    tested.filter(({ passes }) => passes).map(({ product }) => product),
    tested.filter(({ passes }) => !passes).map(({ product }) => product)
  ]
}
