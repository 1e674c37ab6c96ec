import type { ProductRecord, ProductWrite, ProjectRef, Store } from '../../ports/store/port.ts'
import { createDraft, fixedValue, applyDraft, type Draft } from './draft.ts'
import type { SeoProvider, Suggestion } from './provider/index.ts'
import { resolveClaims } from './unique-texts.ts'
import { sourceDigest } from './outputs.ts'

/** Products that lost a text to somebody else at the last moment try again so often. */
const MAX_ROUNDS = 5
const NO_SUGGESTION: Suggestion = {}

/**
 * What became of a portion. `settled` counts all that do not wait any more, whatever became of
 * them.
 */
export interface BatchResult {
  optimized: ProductRecord[]
  failures: unknown[]
  completed: number
}

interface Task {
  place: ProjectRef
  signal: AbortSignal
}
interface BatchContext extends Task {
  brandName: string | null
  siblings: Map<string, Pick<ProductRecord, 'id' | 'attributes'>[]>
  suggestions: Map<string, Suggestion>
  result: BatchResult
}

/** Works on some products at once, so that the store is asked a few times for all of them. */
export function createBatchOptimizer({ store, provider }: { store: Store; provider: SeoProvider | null }) {
  const digestOf = (product: ProductRecord, brandName: string | null) =>
    sourceDigest(product, { brandName, providerVersion: provider?.version ?? null })

  /**
   * Saves next versions; returns those that were, and those that somebody else has a claim of. What
   * changed meanwhile waits for its next turn.
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
   * Says in the store that a provider is being asked, which takes a while. Returns those that are
   * still as they were read.
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

  async function round(products: ProductRecord[], context: BatchContext): Promise<ProductRecord[]> {
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
        drafts.flatMap(({ requests: wishes }) => wishes),
        (claims) => store.products.findClaimOwners(context.place, claims)
      ),
      ({ request: wish }) => wish.productId
    )
    const at = new Date().toISOString()
    const byId = new Map(drafts.map((draft) => [draft.product.id, draft]))
    const done = mapOrFail(
      drafts.map(({ product }) => product),
      failed,
      (product) =>
        applyDraft(byId.get(product.id) as Draft, completed.get(product.id) ?? [], {
          from: digestOf(product, context.brandName),
          at
        })
    )
    const { saved, taken } = await save(done)
    context.result.optimized.push(...saved)
    context.result.completed += saved.length
    await fail(failed, context)
    return products.filter(({ id }) => taken.has(id))
  }

  async function suggestionsFor(
    products: ProductRecord[],
    { signal, brandName }: { signal: AbortSignal; brandName: string | null }
  ): Promise<Map<string, Suggestion>> {
    if (provider === null) return new Map()
    const wanting = products.filter((product) =>
      (['metaTitle', 'metaDescription', 'pageTitle'] as const).some((field) => fixedValue(product, field) === null)
    )
    return new Map(
      await Promise.all(
        wanting.map(async (product) => [product.id, await provider.suggest({ product, brandName }, signal)] as const)
      )
    )
  }

  return {
    /**
     * Works on products that wait. One whose working throws becomes `failed`. Broken off by the
     * signal, it leaves what is not saved yet waiting.
     */
    async work(due: ProductRecord[], { place, signal }: Task): Promise<BatchResult> {
      const brandName = (await store.projects.find(place.accountId, place.projectId))?.brandName ?? null
      const result: BatchResult = { optimized: [], failures: [], completed: 0 }
      const context: BatchContext = { place, signal, brandName, result, siblings: new Map(), suggestions: new Map() }
      const failed: { product: ProductRecord; reason: unknown }[] = []
      const [same, changed] = partition(
        due,
        failed,
        (product) =>
          product.optimizedFromDigest === digestOf(product, brandName) &&
          Object.values(product.seo).every((value) => value !== null)
      )
      const { saved } = await save(
        same.map((product) => ({
          ...product,
          version: product.version + 1,
          status: 'optimized',
          optimizePendingSince: null
        }))
      )
      result.completed += saved.length
      await fail(failed, context)
      let waiting = provider === null ? changed : await markOptimizing(changed)
      if (waiting.length === 0) return result
      context.siblings = Map.groupBy(
        await store.products.findByTitles(place, [...new Set(waiting.map(({ title }) => title))]),
        ({ title }) => title
      )
      context.suggestions = await suggestionsFor(waiting, { signal, brandName })
      for (let count = 0; count < MAX_ROUNDS && waiting.length > 0 && !signal.aborted; count++) {
        waiting = await round(waiting, context)
      }
      if (!signal.aborted) {
        await fail(
          waiting.map((product) => ({
            product,
            reason: new Error(`Others took every text of product ${product.id}.`)
          })),
          context
        )
      }
      return result
    }
  }
}

/** Works on each; those that throw are put to the failed ones. */
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
