import type { ProductRecord, SeoValue } from '../../ports/store/port.ts'
import type { Suggestion } from './provider/index.ts'
import type { QualityCode } from '../../schemas/product.ts'
import { qualityOf, sourceProblems } from './quality.ts'
import {
  UNIQUE_FIELDS,
  applyRules,
  pictureOf,
  prepareRules,
  type RuleResult,
  type SubjectContext,
  type UniqueField
} from './rules/index.ts'
import type { ResolvedText, TextRequest } from './unique-texts.ts'
import { outputsDigest } from './outputs.ts'

/**
 * A product during optimization: requests for its unique texts, and the values of its other fields.
 */
export interface Draft {
  product: ProductRecord
  requests: TextRequest[]
  pageDescription: SeoValue
  imageUrl: SeoValue
  /** The problems of its sources: found here, where the description has just been converted to text. */
  problems: QualityCode[]
}

export interface DraftContext extends SubjectContext {
  /** The first product of the group, if it is another one. */
  leader: ProductRecord | null
  /** The rules of leaders that were read for this brand name and locale. Leaders are added. */
  pages: Map<ProductRecord, () => RuleResult>
}

/**
 * Computes the texts of a product. Manual values and an existing handle stay; elsewhere a checked
 * suggestion takes precedence over the texts of the rules.
 */
export function createDraft(product: ProductRecord, context: DraftContext, suggestion: Suggestion | undefined): Draft {
  const { seo, groupId } = product
  const { leader } = context
  const { drafts, pageDescription, imageUrl } = draftsOf(product, context)
  const shared = (field: UniqueField): SeoValue | null =>
    leader === null || leader.status !== 'optimized' || (field === 'metaTitle' && hasOwnPage(product, leader))
      ? null
      : leader.seo[field]
  return {
    product,
    requests: UNIQUE_FIELDS.map((field) => ({
      productId: product.id,
      groupId,
      field,
      fixed: fixedValue(product, field),
      candidates: candidates(drafts[field], {
        shared: shared(field),
        suggested: field === 'handle' ? undefined : suggestedValue(suggestion, field)
      })
    })),
    pageDescription: manualValue(seo.pageDescription) ?? { value: pageDescription, source: 'rule' },
    imageUrl: manualValue(seo.imageUrl) ?? { value: imageUrl, source: 'rule' },
    problems: sourceProblems(product)
  }
}

/**
 * The texts of the rules. The variants of a group share those of its leader, except for the image, and
 * for the meta title of a variant with a page of its own.
 */
function draftsOf(product: ProductRecord, { leader, pages, ...context }: DraftContext): RuleResult {
  if (product.groupId === null) return applyRules(product, context)
  const first = leader ?? product
  const rulesOfPage = pages.get(first) ?? prepareRules(first, { ...context, siblings: [], isShared: true })
  pages.set(first, rulesOfPage)
  const ofPage = rulesOfPage()
  if (leader === null) return ofPage
  const own = hasOwnPage(product, leader) ? applyRules(product, context).drafts : ofPage.drafts
  return { ...ofPage, drafts: { ...ofPage.drafts, metaTitle: own.metaTitle }, imageUrl: pictureOf(product) }
}

/** Whether the URL of a variant leads to another page than that of its leader. */
function hasOwnPage({ url }: ProductRecord, leader: ProductRecord): boolean {
  const page = (address: string) => address.split(/[?#]/, 1)[0]
  return url !== null && leader.url !== null && page(url) !== page(leader.url)
}

/** The value that optimization must not change: a manual value, and any existing handle. */
export function fixedValue({ seo }: ProductRecord, field: UniqueField): SeoValue | null {
  return field === 'handle' ? seo.handle : manualValue(seo[field])
}

function manualValue(value: SeoValue | null): SeoValue | null {
  return value?.source === 'human' ? value : null
}

function suggestedValue(
  suggestion: Suggestion | undefined,
  field: Exclude<UniqueField, 'handle'>
): SeoValue | undefined {
  const value = suggestion?.texts[field]
  return suggestion === undefined || value === undefined
    ? undefined
    : { value, source: 'llm', generated: suggestion.origin }
}

function* candidates(
  texts: Iterator<string>,
  { shared, suggested }: { shared: SeoValue | null; suggested: SeoValue | undefined }
): Generator<SeoValue> {
  // What a person wrote for another variant is not taken as written for this one.
  if (shared !== null) yield shared.source === 'human' ? { value: shared.value, source: 'rule' } : shared
  if (suggested !== undefined) yield suggested
  for (let next = texts.next(); !next.done; next = texts.next()) yield { value: next.value, source: 'rule' }
}

/**
 * The next version of an optimized product. `updatedAt` changes only if the API representation
 * changes. `eventPendingSince` is set if the outputs differ from the last published ones. `from` is the digest
 * of the sources, null if the next optimization must not skip the product although they are the same.
 * @throws Error if a field has no text that is unique in the project.
 */
export function applyDraft(
  { product, pageDescription, imageUrl, problems }: Draft,
  resolved: ResolvedText[],
  options: { from: string | null; at: string }
): ProductRecord {
  const resolvedValue = (field: UniqueField): SeoValue => {
    const value = resolved.find(({ request }) => request.field === field)?.value
    if (value == null) throw new Error(`No unique ${field} is left for product ${product.id}.`)
    return value
  }
  const seo = {
    metaTitle: resolvedValue('metaTitle'),
    metaDescription: resolvedValue('metaDescription'),
    pageTitle: resolvedValue('pageTitle'),
    pageDescription,
    imageUrl,
    handle: resolvedValue('handle')
  }
  const next: ProductRecord = {
    ...product,
    version: product.version + 1,
    status: 'optimized',
    seo,
    quality: qualityOf(problems, { seo, resolved }),
    claims: resolved.flatMap(({ claims }) => claims),
    optimizedFromDigest: options.from,
    optimizePendingSince: null
  }
  const unchanged =
    product.status === 'optimized' &&
    product.quality.join() === next.quality.join() &&
    Object.entries(seo).every(([field, value]) => isSame(product.seo[field as keyof typeof seo], value))
  return {
    ...next,
    updatedAt: unchanged ? product.updatedAt : options.at,
    eventPendingSince: eventPendingSince(product, next, options.at)
  }
}

function isSame(before: SeoValue | null, after: SeoValue): boolean {
  return before?.value === after.value && before.source === after.source && before.generated?.at === after.generated?.at
}

function eventPendingSince(before: ProductRecord, after: ProductRecord, at: string): string | null {
  const digest = outputsDigest(after)
  if (digest === after.publishedDigest) return null
  return before.eventPendingSince !== null && digest === outputsDigest(before) ? before.eventPendingSince : at
}
