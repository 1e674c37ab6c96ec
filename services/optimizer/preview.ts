import type { ProductRecord, ProjectRef, Store } from '../../ports/store/port.ts'
import type { OptimizationPreview, PreviewedTexts } from '../../schemas/optimization-preview.ts'
import { createBatchOptimizer } from './batch.ts'
import type { SeoProvider } from './provider/index.ts'
import { suggestionWarnings } from './suggestions.ts'

/** A store whose products are read as usual, but saved nowhere: `saved` has the last version of each. */
function withoutSaving(store: Store): { store: Store; saved: Map<string, ProductRecord> } {
  const saved = new Map<string, ProductRecord>()
  return {
    saved,
    store: {
      ...store,
      products: {
        ...store.products,
        saveMany: async (writes) => {
          for (const { product } of writes) saved.set(product.id, product)
          return await Promise.resolve(writes.map(() => 'saved' as const))
        },
        markOptimizePending: async () => await Promise.resolve(0)
      }
    }
  }
}

const FIELDS = ['metaTitle', 'metaDescription', 'pageTitle'] as const

/** Shows the texts that an optimization would give to products, without saving any. */
export function createOptimizationPreview({ store, provider }: { store: Store; provider: SeoProvider | null }) {
  async function run(
    products: ProductRecord[],
    { project, provider, signal }: { project: ProjectRef; provider: SeoProvider | null; signal: AbortSignal }
  ): Promise<Map<string, ProductRecord>> {
    const unsaved = withoutSaving(store)
    const { failures } = await createBatchOptimizer({ store: unsaved.store, provider }).optimize(
      // Without the digest, unchanged products are not skipped.
      products.map((product) => ({ ...product, optimizedFromDigest: null })),
      { project, signal }
    )
    if (failures.length > 0) throw failures[0]
    return unsaved.saved
  }

  return {
    /** At most `size` external ids, spread evenly over the project in the order of the ids. */
    async sample(project: ProjectRef, size: number): Promise<{ externalIds: string[]; totalCount: number }> {
      const filter = { accountId: project.accountId, projectIds: null, projectId: project.projectId }
      const { totalCount } = await store.products.list(filter, { page: 1, pageSize: 1 })
      const count = Math.min(size, totalCount)
      const externalIds: string[] = []
      for (let i = 0; i < count; i++) {
        const page = Math.floor((i * totalCount) / count) + 1
        const { products } = await store.products.list(filter, { page, pageSize: 1 })
        externalIds.push(...products.map(({ externalId }) => externalId))
      }
      return { externalIds, totalCount }
    },

    /**
     * The texts of the rules, and with `compare` those of the language model with their problems.
     * Calls of the model count toward the budget.
     */
    async preview(
      project: ProjectRef,
      { externalIds, compare, signal }: { externalIds: string[]; compare: boolean; signal: AbortSignal }
    ): Promise<OptimizationPreview> {
      const products = await store.products.findByExternalIds(project, externalIds)
      const byRules = await run(products, { project, provider: null, signal })
      const details = new Map<string, string>()
      const asked: SeoProvider | null = provider && {
        ...provider,
        suggest: async (input, signal) => {
          const suggestion = await provider.suggest(input, signal)
          if (suggestion.failure !== null) details.set(input.product.id, suggestion.failure.detail)
          return suggestion
        }
      }
      const byModel =
        compare && asked !== null ? await run(products, { project, provider: asked, signal }) : new Map<string, never>()
      return {
        hasModel: provider !== null,
        products: products
          .toSorted((a, b) => externalIds.indexOf(a.externalId) - externalIds.indexOf(b.externalId))
          .map(({ id, externalId, title }) => ({
            externalId,
            title,
            rules: toTexts(byRules.get(id)),
            model: byModel.has(id) ? toTexts(byModel.get(id)) : null,
            problems: problemsOf(byModel.get(id), details.get(id))
          }))
      }
    }
  }
}

function toTexts(product: ProductRecord | undefined): PreviewedTexts {
  if (product === undefined) throw new Error('A product was not optimized.')
  return Object.fromEntries(
    FIELDS.map((field) => {
      const { value, source } = product.seo[field]!
      return [field, { value, source }]
    })
  ) as PreviewedTexts
}

function problemsOf(product: ProductRecord | undefined, detail: string | undefined): string[] {
  if (detail !== undefined) return [detail]
  return product === undefined ? [] : suggestionWarnings(product).map(({ message }) => message)
}
