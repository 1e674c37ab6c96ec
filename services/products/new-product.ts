import type { ProductRecord, ProjectRecord, SeoValues } from '../../ports/store/port.ts'
import { newId } from '../ids.ts'

const EMPTY_SEO: SeoValues = {
  metaTitle: null,
  metaDescription: null,
  pageTitle: null,
  pageDescription: null,
  imageUrl: null,
  handle: null
}

/** A new product without any content. Its version is 0; the first save makes it 1. */
export function newProduct(project: ProjectRecord, externalId: string, now: string): ProductRecord {
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
    groupId: null,
    quality: [],
    status: 'pending',
    seo: EMPTY_SEO,
    claims: [],
    terms: [],
    optimizedFromDigest: null,
    optimizePendingSince: null,
    imageCheckPendingSince: null,
    imageCheck: null,
    suggestion: null,
    suggestionDueAt: null,
    publishedDigest: null,
    eventPendingSince: null,
    lastImport: null,
    createdAt: now,
    updatedAt: now
  }
}
