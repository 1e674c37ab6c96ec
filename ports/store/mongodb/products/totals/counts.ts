import type { ProductFilter, ProjectScope } from '../../../port.ts'
import { decodeName, encodeName } from '../../totals/documents.ts'
import type { ProductDocument } from '../documents.ts'

/** What stored totals depend on, of a product that is not deleted. */
export interface CountedProduct {
  projectId: string
  status: string
  category: string | null
  quality: string[]
  /** As storage of the account. */
  bytes: number
}

/** The projection for `stateOf`, without `bytes`. */
export const STATE_FIELDS = { projectId: 1, status: 1, category: 1, quality: 1, deleted: 1 } as const

/** Null for a deleted product. */
export function stateOf({
  projectId,
  status,
  category,
  quality,
  deleted,
  bytes = 0
}: Pick<ProductDocument, keyof typeof STATE_FIELDS> & { bytes?: number }): CountedProduct | null {
  return deleted === true ? null : { projectId, status, category, quality, bytes }
}

/** `all`: every product once, with an empty label. */
export type ProductCountKind = 'all' | 'status' | 'category' | 'quality'
export const PRODUCT_COUNT_KINDS: readonly ProductCountKind[] = ['all', 'status', 'category', 'quality']

type ProjectCounts = Record<string, number>
/** The bytes of all products, and their numbers by kind, label and project. The names are encoded. */
export type ProductCounts = { bytes?: number } & Partial<Record<ProductCountKind, Record<string, ProjectCounts>>>

const SEPARATOR = ' > '
/** Levels of a category path. Categories of an account with deeper paths are not counted: each level is a label. */
const MAX_LEVELS = 16

/** The path of a category and those that contain it. Null: too many. */
function categoryPaths(category: string): string[] | null {
  const paths = [category]
  for (let at = category.indexOf(SEPARATOR); at !== -1; at = category.indexOf(SEPARATOR, at + 1)) {
    paths.push(category.slice(0, at))
    if (paths.length > MAX_LEVELS) return null
  }
  return paths
}

function labelsOf({ status, category, quality }: CountedProduct, kind: ProductCountKind): string[] | null {
  if (kind === 'all') return ['']
  if (kind === 'status') return [status]
  if (kind === 'quality') return quality
  return category === null ? [] : categoryPaths(category)
}

/**
 * Changes the counts by one product: 1 adds it, and -1 removes it. Counts that become 0 stay until `removeZeros`.
 * Returns the kinds that cannot count the product.
 */
export function addProduct(counts: ProductCounts, product: CountedProduct, by: 1 | -1): ProductCountKind[] {
  const project = encodeName(product.projectId)
  counts.bytes = (counts.bytes ?? 0) + by * product.bytes
  return PRODUCT_COUNT_KINDS.filter((kind) => {
    const labels = labelsOf(product, kind)
    if (labels === null) return true
    const ofKind = (counts[kind] ??= {})
    for (const label of labels) {
      const projects = (ofKind[encodeName(label)] ??= {})
      projects[project] = (projects[project] ?? 0) + by
    }
    return false
  })
}

/** Deletes counts of 0, and labels without counts. `pause` is called between labels. */
export async function removeZeros(counts: ProductCounts, pause: () => Promise<void> | void): Promise<void> {
  for (const kind of PRODUCT_COUNT_KINDS) {
    const labels = counts[kind] ?? {}
    for (const [label, projects] of Object.entries(labels)) {
      removeZeroProjects(projects)
      if (Object.keys(projects).length === 0) delete labels[label]
      await pause()
    }
  }
}

function removeZeroProjects(projects: ProjectCounts): void {
  for (const [project, count] of Object.entries(projects)) if (count === 0) delete projects[project]
}

/** The label that a list is filtered by. */
export interface ProductLabel {
  kind: ProductCountKind
  key: string
}

const LABELS = ['status', 'category', 'quality'] as const
const UNCOUNTED = ['sku', 'externalId', 'groupId', 'handle', 'updatedSince'] as const

/** Null for a list whose total is not stored: with search words, a time, a key, or several labels. */
export function countedLabelOf(filter: ProductFilter): ProductLabel | null {
  if (filter.terms?.some((term) => term !== '') === true) return null
  if (UNCOUNTED.some((name) => filter[name] !== undefined)) return null
  const [kind, ...others] = LABELS.filter((name) => filter[name] !== undefined)
  if (others.length > 0) return null
  return kind === undefined ? { kind: 'all', key: '' } : { kind, key: filter[kind]! }
}

const hasProject = ({ projectIds, projectId }: ProjectScope & { projectId?: string }, id: string): boolean =>
  (projectIds?.includes(id) ?? true) && (projectId === undefined || projectId === id)

/** The path of the counts that a list needs. */
export const pathOf = ({ kind, key }: ProductLabel): string => `${kind}.${encodeName(key)}`

/** The number of products of the list that the counts contain. */
export function countProducts(counts: ProductCounts, filter: ProductFilter, { kind, key }: ProductLabel): number {
  let total = 0
  for (const [project, count] of Object.entries(counts[kind]?.[encodeName(key)] ?? {})) {
    if (hasProject(filter, decodeName(project))) total += count
  }
  return total
}

/** Whether the list contains the product. Null: its category has too many levels. */
export function isCounted(
  product: CountedProduct | null,
  filter: ProductFilter,
  { kind, key }: ProductLabel
): boolean | null {
  if (product === null || !hasProject(filter, product.projectId)) return false
  return labelsOf(product, kind)?.includes(key) ?? null
}
