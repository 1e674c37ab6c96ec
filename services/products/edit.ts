import { problem } from '../../errors.ts'
import type { Queue } from '../../ports/queue/port.ts'
import type { ProductRecord, ProjectRecord, Store } from '../../ports/store/port.ts'
import type { ProductPatch } from '../../schemas/product.ts'
import { outputsDigest } from '../optimizer/outputs.ts'
import { optimizeSetting } from '../projects.ts'
import { addFollowUpJobs } from './follow-up-jobs.ts'
import { toProductChange, type ProductChange } from './input.ts'
import { changedFields, applyChange } from './write.ts'
import { handleTaken, overrideErrors, applySeoOverrides } from './seo-overrides.ts'

/** Attempts before a change gives up with `busy` because of concurrent changes. */
const MAX_ATTEMPTS = 20

export interface ProductReader {
  accountId: string
  projectIds: string[] | null
}

export const productNotFound = (id: string) =>
  problem('product_not_found', `There is no product ${id} in this account.`)

/** Reads, changes and deletes a single product by id. */
export function createProductEditor({ store, queue }: { store: Store; queue: Queue }) {
  async function read({ accountId, projectIds }: ProductReader, id: string): Promise<ProductRecord> {
    const product = await store.products.find(accountId, id)
    if (product === null || (projectIds !== null && !projectIds.includes(product.projectId))) throw productNotFound(id)
    return product
  }

  /**
   * Saves one product. A conflicting claim on a text is given up, because manual values win. A
   * conflicting handle throws `handle_taken`.
   */
  async function save(
    product: ProductRecord,
    ifVersion: number,
    handle: string | null | undefined
  ): Promise<'saved' | 'conflict'> {
    const [outcome] = await store.products.saveMany([{ product, ifVersion }])
    if (outcome === 'taken') throw handleTaken(handle ?? product.seo.handle?.value ?? '')
    return outcome!
  }

  return {
    read,

    /**
     * Changes the fields in the patch; `seo` holds manual values. Throws `handle_taken`,
     * `invalid_request`, `product_not_found` and `busy`.
     */
    async patch(reader: ProductReader, id: string, patch: ProductPatch): Promise<ProductRecord> {
      const { seo } = patch
      const { change, errors: fieldErrors } = toProductChange(patch)
      const errors = [...fieldErrors, ...overrideErrors(seo ?? {})]
      if (errors.length > 0) {
        throw problem('invalid_request', errors.map(({ pointer, message }) => `${pointer} ${message}.`).join(' '), {
          errors
        })
      }
      for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
        const before = await read(reader, id)
        const project = await store.projects.find(reader.accountId, before.projectId)
        const after = applyPatch(before, { change, seo, project })
        if (after === before) return before
        if ((await save(after, before.version, seo?.handle)) === 'conflict') continue
        await addFollowUpJobs(queue, before, [after])
        return after
      }
      throw problem('busy', 'Other requests keep changing this product. Retry the request.', {
        headers: { 'Retry-After': '1' }
      })
    },

    async remove(reader: ProductReader, id: string): Promise<void> {
      for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
        const { accountId, version } = await read(reader, id)
        if (await store.products.delete({ accountId, id, ifVersion: version })) return
      }
      throw problem('busy', 'Other requests keep changing this product. Retry the request.', {
        headers: { 'Retry-After': '1' }
      })
    }
  }
}

function applyPatch(
  before: ProductRecord,
  { change, seo, project }: { change: ProductChange; seo: ProductPatch['seo']; project: ProjectRecord | null }
): ProductRecord {
  const now = new Date().toISOString()
  const changed = changedFields(before, change)
  const optimize = project === null ? 'auto' : optimizeSetting(project)
  const after = changed.length === 0 ? before : applyChange(before, change, { changed, optimize, now })
  const overrides = seo === undefined ? null : applySeoOverrides(after, seo)
  if (overrides === null || !overrides.changed) {
    return after === before ? before : { ...after, version: before.version + 1 }
  }
  const next: ProductRecord = {
    ...after,
    seo: overrides.seo,
    claims: overrides.claims,
    version: before.version + 1,
    updatedAt: now
  }
  // Manual values are not published as an event. A field returned to the optimizer is generated
  // again.
  if (next.eventPendingSince === null && next.publishedDigest !== null) next.publishedDigest = outputsDigest(next)
  if (overrides.released) {
    Object.assign(next, {
      optimizedFromDigest: null,
      status: 'pending',
      optimizePendingSince: optimize === 'auto' ? (next.optimizePendingSince ?? now) : next.optimizePendingSince
    })
  }
  return next
}
