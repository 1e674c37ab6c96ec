import { problem } from '../../errors.ts'
import type { Queue } from '../../ports/queue/port.ts'
import type { ProductRecord, ProjectRecord, Store } from '../../ports/store/port.ts'
import type { ProductPatch, SeoInput } from '../../schemas/product.ts'
import { optimizeSetting } from '../projects.ts'
import { addFollowUpJobs } from './follow-up-jobs.ts'
import { createGroupChanges } from './group-changes.ts'
import { claimsLeft, passClaims } from './group-claims.ts'
import { toProductChange, type ProductChange } from './input.ts'
import { changedFields, applyChange } from './write.ts'
import { applySeoOverrides, handleClaim, handleTaken, normalizedSeo, overrideErrors } from './seo-overrides.ts'

/** Attempts before a change gives up with `busy` because of concurrent changes. */
const MAX_ATTEMPTS = 20

export interface ProductReader {
  accountId: string
  projectIds: string[] | null
}

/** The product to change. `ifVersions`: only if it has one of these versions. */
export interface ProductTarget {
  reader: ProductReader
  id: string
  ifVersions?: number[] | null
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

  /** Throws `precondition_failed` if the product has another version. */
  async function readForChange({ reader, id, ifVersions = null }: ProductTarget): Promise<ProductRecord> {
    const product = await read(reader, id)
    if (ifVersions === null || ifVersions.includes(product.version)) return product
    throw problem(
      'precondition_failed',
      `The product is at version ${product.version}, which is not in If-Match. Read the product again and reapply ` +
        'the change.'
    )
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

  /** Whether another product of the same group holds the handle. */
  async function isHandleOfGroup(product: ProductRecord, handle: string | null | undefined): Promise<boolean> {
    if (handle == null || product.groupId === null) return false
    const owners = await store.products.findClaimOwners(product, [handleClaim(handle)])
    return owners.some(({ productId, groupId }) => productId !== product.id && groupId === product.groupId)
  }

  return {
    read,

    /**
     * Changes the fields in the patch; `seo` holds manual values. Throws `handle_taken`,
     * `invalid_request`, `product_not_found`, `precondition_failed` and `busy`.
     */
    async patch(target: ProductTarget, patch: ProductPatch): Promise<ProductRecord> {
      const seo = patch.seo === undefined ? undefined : normalizedSeo(patch.seo)
      const { change, errors: fieldErrors } = toProductChange(patch)
      const errors = [...fieldErrors, ...overrideErrors(seo ?? {})]
      if (errors.length > 0) {
        throw problem('invalid_request', errors.map(({ pointer, message }) => `${pointer} ${message}.`).join(' '), {
          errors
        })
      }
      for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
        const before = await readForChange(target)
        const project = await store.projects.find(before.accountId, before.projectId)
        const holdsHandle = !(await isHandleOfGroup({ ...before, ...change }, seo?.handle))
        const after = applyPatch(before, { change, seo, project, holdsHandle })
        if (after === before) return before
        if ((await save(after, before.version, seo?.handle)) === 'conflict') continue
        const groups = createGroupChanges(
          { store, queue },
          { accountId: before.accountId, projectId: before.projectId }
        )
        groups.add(before, after)
        await groups.apply()
        await addFollowUpJobs(queue, before, [after])
        return after
      }
      throw problem('busy', 'Other requests keep changing this product. Retry the request.', {
        headers: { 'Retry-After': '1' }
      })
    },

    /** Returns the deleted product. */
    async remove(target: ProductTarget): Promise<ProductRecord> {
      for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
        const product = await readForChange(target)
        const { id, accountId, projectId, groupId, version } = product
        if (!(await store.products.delete({ accountId, id, ifVersion: version }))) continue
        if (groupId !== null) {
          const givenUp = { claims: new Set(claimsLeft(product)), departed: [id] }
          await passClaims({ store, queue }, { accountId, projectId }, [[groupId, givenUp]])
        }
        return product
      }
      throw problem('busy', 'Other requests keep changing this product. Retry the request.', {
        headers: { 'Retry-After': '1' }
      })
    }
  }
}

interface PatchOptions {
  change: ProductChange
  seo: SeoInput | undefined
  project: ProjectRecord | null
  holdsHandle: boolean
}

function applyPatch(before: ProductRecord, { change, seo, project, holdsHandle }: PatchOptions): ProductRecord {
  const now = new Date().toISOString()
  const changed = changedFields(before, change)
  const optimize = project === null ? 'auto' : optimizeSetting(project)
  const changedProduct = changed.length === 0 ? before : applyChange(before, change, { changed, optimize, now })
  const after =
    seo === undefined ? changedProduct : applySeoOverrides(changedProduct, seo, { optimize, now, holdsHandle })
  return after === before ? before : { ...after, version: before.version + 1 }
}
