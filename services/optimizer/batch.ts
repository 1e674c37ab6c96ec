import { isDeepStrictEqual } from 'node:util'
import { LRUCache } from 'lru-cache'
import { createYielder } from '../../lib/async.ts'
import type { ProductRecord, ProductWrite, ProjectRef, SeoValues, Store } from '../../ports/store/port.ts'
import { createDraft, fixedValue, applyDraft, type Draft, type DraftContext } from './draft.ts'
import type { SeoProvider, Suggestion } from './provider/index.ts'
import { RecentDescriptions } from './recent-descriptions.ts'
import { prepareText } from './rules/plain-text.ts'
import { resolveClaims } from './unique-texts.ts'
import { sourceDigest } from './outputs.ts'
import { isSuggestionDue, recordSuggestion } from './suggestions.ts'

/** Attempts for products whose texts were claimed by another product during the save. */
const MAX_ROUNDS = 5
/** Variants of a group of which one is compared with the leader. */
const MAX_COMPARED = 20
/** Projects whose recent descriptions are in memory, about 4 MB each. */
const MAX_RECENT_PROJECTS = 4

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
  locale: string | null
  leaders: Map<string, ProductRecord>
  pages: DraftContext['pages']
  siblings: Map<string, Pick<ProductRecord, 'id' | 'attributes'>[]>
  suggestions: Map<string, Suggestion>
  result: BatchResult
}

/**
 * Optimizes products in batches, so that the store is queried a few times per batch instead of per
 * product.
 */
export function createBatchOptimizer({ store, provider }: { store: Store; provider: SeoProvider | null }) {
  const recentByProject = new LRUCache<string, RecentDescriptions>({ max: MAX_RECENT_PROJECTS })
  const recentOf = ({ accountId, projectId }: ProjectRef): RecentDescriptions => {
    const key = JSON.stringify([accountId, projectId])
    const recent = recentByProject.get(key) ?? new RecentDescriptions()
    recentByProject.set(key, recent)
    return recent
  }

  const currentDigest = (product: ProductRecord, { brandName, locale, leaders }: BatchContext) =>
    sourceDigest(product, {
      brandName,
      locale,
      providerVersion: provider?.version ?? null,
      leader: leaderOf(product, leaders)
    })

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
    const pause = createYielder()
    const drafts = await mapOrFail(products, failed, async (product) => {
      const leader = leaderOf(product, context.leaders)
      for (const { description } of leader === null ? [product] : [leader, product]) {
        await prepareText(description ?? '', pause)
      }
      await pause()
      return createDraft(
        product,
        {
          brandName: context.brandName,
          locale: context.locale,
          leader,
          pages: context.pages,
          siblings: context.siblings.get(product.title) ?? []
        },
        context.suggestions.get(product.id)
      )
    })
    const completed = Map.groupBy(
      await resolveClaims(
        drafts.flatMap(({ requests }) => requests),
        {
          findOwners: (claims) => store.products.findClaimOwners(context.project, claims),
          recent: recentOf(context.project),
          isRemote: store.isRemote
        }
      ),
      ({ request }) => request.productId
    )
    // A variant is made again when its leader is optimized, although its sources are the same then.
    const hasLeaderTexts = (product: ProductRecord) =>
      (leaderOf(product, context.leaders)?.status ?? 'optimized') === 'optimized'
    const at = new Date().toISOString()
    const byId = new Map(drafts.map((draft) => [draft.product.id, draft]))
    const optimized = await mapOrFail(
      drafts.map(({ product }) => product),
      failed,
      (product) =>
        recordSuggestion(
          applyDraft(byId.get(product.id) as Draft, completed.get(product.id) ?? [], {
            from: hasLeaderTexts(product) ? currentDigest(product, context) : null,
            at
          }),
          { suggestion: context.suggestions.get(product.id), before: product, at }
        )
    )
    const { saved, taken } = await save(optimized)
    context.result.optimized.push(...saved)
    context.result.completed += saved.length
    await fail(failed, context)
    return products.filter(({ id }) => taken.has(id))
  }

  async function runRounds(products: ProductRecord[], context: BatchContext): Promise<void> {
    const { signal, result, leaders } = context
    let remaining = products
    for (let attempt = 0; attempt < MAX_ROUNDS && remaining.length > 0 && !signal.aborted; attempt++) {
      remaining = await runRound(remaining, context)
    }
    replaceLeaders(leaders, result.optimized)
    if (signal.aborted) return
    await fail(
      remaining.map((product) => ({
        product,
        reason: new Error(`No unique text is left for product ${product.id}: other products hold all candidates.`)
      })),
      context
    )
  }

  /**
   * Marks the groups whose shared texts have changed, because their variants may be in no batch, and those whose
   * variants still have the texts of another leader: an older product may have joined the group.
   */
  async function markVariants(before: ProductRecord[], { project, leaders, result }: BatchContext): Promise<void> {
    const optimized = new Set(result.optimized.map(({ id }) => id))
    const groupIds: string[] = []
    for (const { id, groupId, status, seo, optimizedFromDigest } of before) {
      const leader = leaders.get(groupId!)!
      const isFirstTime = status !== 'optimized' && seo.handle === null
      if (isFirstTime) continue
      const isChanged = !isDeepStrictEqual(sharedTexts(seo), sharedTexts(leader.seo))
      // Set by what may make a product the leader, or give it manual texts. Otherwise, no group is read.
      const mayDiffer = optimizedFromDigest === null && optimized.has(id)
      if (isChanged || (mayDiffer && (await hasOtherTexts(project, leader, optimized)))) groupIds.push(groupId!)
    }
    if (groupIds.length === 0) return
    const at = new Date().toISOString()
    await store.products.markOptimizePending(project, { externalIds: null, groupIds, at, force: false })
  }

  /**
   * Whether the first variant of a group that is neither pending nor in this batch has other texts than the leader.
   * The others are not compared. True if there are too many others to find one.
   */
  async function hasOtherTexts(
    project: ProjectRef,
    { id, groupId, seo }: ProductRecord,
    inBatch: ReadonlySet<string>
  ): Promise<boolean> {
    const variants = await store.products.listGroup(project, groupId!, { afterId: id, limit: MAX_COMPARED })
    const variant = variants.find((one) => one.optimizePendingSince === null && !inBatch.has(one.id))
    if (variant === undefined) return variants.length === MAX_COMPARED
    const fields: (keyof SeoValues)[] = ['pageTitle', 'pageDescription', 'metaDescription']
    // Variants with a page of their own have other meta titles.
    if (seo.metaTitle?.source === 'human') fields.push('metaTitle')
    return fields.some((field) => {
      const text = variant.seo[field]
      return text !== null && text.source !== 'human' && text.value !== seo[field]?.value
    })
  }

  async function fetchSuggestions(
    products: ProductRecord[],
    { signal, brandName, leaders }: BatchContext
  ): Promise<Map<string, Suggestion>> {
    if (provider === null) return new Map()
    const candidates = products.filter(
      (product) =>
        leaderOf(product, leaders) === null &&
        (['metaTitle', 'metaDescription', 'pageTitle'] as const).some((field) => fixedValue(product, field) === null)
    )
    const pause = createYielder()
    const suggestions: Promise<[string, Suggestion]>[] = []
    // Each begins with the text of its product. Begun at once, they would convert all of them in one turn of the event
    // loop.
    for (const product of candidates) {
      await prepareText(product.description ?? '', pause)
      await pause()
      suggestions.push(provider.suggest({ product, brandName }, signal).then((one) => [product.id, one]))
    }
    return new Map(await Promise.all(suggestions))
  }

  return {
    /**
     * Optimizes pending products. A product whose optimization throws becomes `failed`. After an
     * abort, unsaved products stay pending.
     */
    async optimize(due: ProductRecord[], { project, signal }: Task): Promise<BatchResult> {
      const settings = await store.projects.find(project.accountId, project.projectId)
      const result: BatchResult = { optimized: [], failures: [], completed: 0 }
      const groupIds = due.flatMap(({ groupId }) => groupId ?? [])
      const leaders = groupIds.length === 0 ? [] : await store.products.findGroupLeaders(project, groupIds)
      const context: BatchContext = {
        project,
        signal,
        brandName: settings?.brandName ?? null,
        locale: settings?.locale ?? null,
        result,
        leaders: new Map(leaders.map((leader) => [leader.groupId!, leader])),
        pages: new Map(),
        siblings: new Map(),
        suggestions: new Map()
      }
      const failed: { product: ProductRecord; reason: unknown }[] = []
      const now = new Date().toISOString()
      const [unchanged, changed] = await partition(
        due,
        failed,
        (product) =>
          product.optimizedFromDigest === currentDigest(product, context) &&
          !isSuggestionDue(product, now) &&
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
      // Their variants may be in this batch, and take the texts only of a leader that is optimized.
      replaceLeaders(context.leaders, saved)
      await fail(failed, context)
      const remaining = provider === null ? changed : await markOptimizing(changed)
      if (remaining.length === 0) return result
      context.siblings = Map.groupBy(
        await store.products.findByTitles(project, [...new Set(remaining.map(({ title }) => title))]),
        ({ title }) => title
      )
      context.suggestions = await fetchSuggestions(remaining, context)
      const isVariant = (product: ProductRecord) => leaderOf(product, context.leaders) !== null
      // The variants of a group share the texts of its leader, which are generated first.
      await runRounds(
        remaining.filter((product) => !isVariant(product)),
        context
      )
      await runRounds(remaining.filter(isVariant), context)
      await markVariants(leaders, context)
      return result
    }
  }
}

/** The first product of the group of a product, if it is another one. */
function leaderOf({ id, groupId }: ProductRecord, leaders: Map<string, ProductRecord>): ProductRecord | null {
  const leader = groupId === null ? undefined : leaders.get(groupId)
  return leader === undefined || leader.id === id ? null : leader
}

/** Replaces the leaders that are among saved products. */
function replaceLeaders(leaders: Map<string, ProductRecord>, saved: ProductRecord[]): void {
  for (const product of saved) {
    if (product.groupId !== null && leaders.get(product.groupId)?.id === product.id) {
      leaders.set(product.groupId, product)
    }
  }
}

const sharedTexts = ({ metaTitle, metaDescription, pageTitle, pageDescription, handle }: SeoValues) =>
  [metaTitle, metaDescription, pageTitle, pageDescription, handle].map((text) => text?.value)

/**
 * Maps the products, with pauses; those for which `work` throws are added to `failed`. The texts of a
 * product may take 50 ms.
 */
async function mapOrFail<T>(
  products: ProductRecord[],
  failed: { product: ProductRecord; reason: unknown }[],
  work: (product: ProductRecord) => T | Promise<T>
): Promise<T[]> {
  const results: T[] = []
  const pause = createYielder()
  for (const product of products) {
    try {
      results.push(await work(product))
    } catch (reason) {
      failed.push({ product, reason })
    }
    await pause()
  }
  return results
}

async function partition(
  products: ProductRecord[],
  failed: { product: ProductRecord; reason: unknown }[],
  test: (product: ProductRecord) => boolean
): Promise<[ProductRecord[], ProductRecord[]]> {
  const tested = await mapOrFail(products, failed, (product) => ({ product, passes: test(product) }))
  return [
    tested.filter(({ passes }) => passes).map(({ product }) => product),
    tested.filter(({ passes }) => !passes).map(({ product }) => product)
  ]
}
