import { isDeepStrictEqual } from 'node:util'
import type { ProductInputs, ProductRecord, ProjectRecord, SeoValues } from '../../ports/store/port.ts'
import { searchTerms } from '../blogs/search-terms.ts'
import { newId } from '../ids.ts'
import type { ProductChange } from './inputs.ts'

/** Fields that no output is made from, so that a new price does not make work. */
const WITHOUT_EFFECT: ReadonlySet<string> = new Set<keyof ProductInputs>([
  'price',
  'currency',
  'availability',
  'url',
  'gtin',
  'mpn'
])
/** Most words of a product in the search index. */
const MOST_TERMS = 100

const NOTHING: SeoValues = {
  metaTitle: null,
  metaDescription: null,
  pageTitle: null,
  pageDescription: null,
  imageUrl: null,
  handle: null
}

/**
 * A product that is not there yet, without anything said of it. Its version is 0, and the first
 * save makes it 1.
 */
export function freshProduct(project: ProjectRecord, externalId: string, now: string): ProductRecord {
  return {
    id: newId(),
    accountId: project.accountId,
    projectId: project.id,
    externalId,
    version: 0,
    title: '',
    sku: null,
    description: null,
    price: null,
    category: null,
    url: null,
    imageUrl: null,
    images: [],
    brand: null,
    gtin: null,
    mpn: null,
    currency: null,
    availability: null,
    locale: null,
    attributes: {},
    tags: [],
    status: 'pending',
    seo: NOTHING,
    claims: [],
    terms: [],
    optimizedFromDigest: null,
    optimizePendingSince: null,
    imageCheckPendingSince: null,
    imageCheck: null,
    publishedDigest: null,
    eventPendingSince: null,
    lastImport: null,
    createdAt: now,
    updatedAt: now
  }
}

/** The names of the fields that the change makes different. */
export function differences(product: ProductRecord, change: ProductChange): (keyof ProductInputs)[] {
  const names = Object.keys(change) as (keyof ProductInputs)[]
  return names.filter((name) => product[name] !== change[name] && !isDeepStrictEqual(product[name], change[name]))
}

/**
 * The product after the change, which is known to make these fields different, and the work that
 * follows from it:
 * its outputs are to be made again by themselves where the project says so, and a new picture is to
 * be looked at. The version is not touched.
 */
export function merged(
  product: ProductRecord,
  change: ProductChange,
  { differ, optimize, now }: { differ: string[]; optimize: ProjectRecord['optimize']; now: string }
): ProductRecord {
  const next: ProductRecord = { ...product, ...change, updatedAt: now }
  if (differ.some((name) => ['title', 'sku', 'brand'].includes(name)) || product.terms.length === 0) {
    next.terms = termsOf(next)
  }
  if (differ.some((name) => !WITHOUT_EFFECT.has(name))) {
    next.status = 'pending'
    next.optimizePendingSince =
      optimize === 'auto' ? (product.optimizePendingSince ?? now) : product.optimizePendingSince
  }
  if (differ.includes('imageUrl')) {
    next.imageCheckPendingSince = next.imageUrl === null ? null : now
    next.imageCheck = null
  }
  return next
}

function termsOf({ title, sku, externalId, brand, locale }: ProductRecord): string[] {
  return searchTerms([title, sku, externalId, brand].filter((part) => part !== null).join(' '), locale ?? 'en').slice(
    0,
    MOST_TERMS
  )
}
