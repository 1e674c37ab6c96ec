import type { ProductRecord, SeoValue } from '../../ports/store/port.ts'
import type { Suggestion } from './provider/index.ts'
import { UNIQUE_FIELDS, applyRules, type Surroundings, type UniqueField } from './rules/index.ts'
import type { ResolvedText, TextRequest } from './unique-texts.ts'
import { outputsDigest } from './outputs.ts'

/**
 * A product on its way to being optimized: what it would have in the fields that are unique, and
 * has in the others.
 */
export interface Draft {
  product: ProductRecord
  requests: TextRequest[]
  pageDescription: SeoValue
  imageUrl: SeoValue
}

/**
 * Works out what a product would have: a person's values stay, and so does a handle; of the others,
 * a checked suggestion comes before what the rules make.
 */
export function createDraft(product: ProductRecord, surroundings: Surroundings, suggestion: Suggestion): Draft {
  const { drafts, pageDescription, imageUrl } = applyRules(product, surroundings)
  const { seo } = product
  return {
    product,
    requests: UNIQUE_FIELDS.map((field) => ({
      productId: product.id,
      field,
      fixed: fixedValue(product, field),
      candidates: candidates(drafts[field], field === 'handle' ? undefined : suggestion[field])
    })),
    pageDescription: manualValue(seo.pageDescription) ?? { value: pageDescription, source: 'rule' },
    imageUrl: manualValue(seo.imageUrl) ?? { value: imageUrl, source: 'rule' }
  }
}

/**
 * What stays in a field whatever is worked out: a person's value, and a handle once there is one.
 */
export function fixedValue({ seo }: ProductRecord, field: UniqueField): SeoValue | null {
  return field === 'handle' ? seo.handle : manualValue(seo[field])
}

function manualValue(value: SeoValue | null): SeoValue | null {
  return value?.source === 'human' ? value : null
}

function* candidates(texts: Iterator<string>, suggested: string | undefined): Generator<SeoValue> {
  if (suggested !== undefined) yield { value: suggested, source: 'llm' }
  for (let next = texts.next(); !next.done; next = texts.next()) yield { value: next.value, source: 'rule' }
}

/**
 * The product as it is once it is optimized: the next version. `updatedAt` moves when a caller sees
 * something else than before, `eventPendingSince` when the outputs changed and
 * are not the ones that were told last.
 * @throws Error when a field found no text that no other product has.
 */
export function applyDraft(
  { product, pageDescription, imageUrl }: Draft,
  resolved: ResolvedText[],
  made: { from: string; at: string }
): ProductRecord {
  const valueOf = (field: UniqueField): SeoValue => {
    const value = resolved.find(({ request: wish }) => wish.field === field)?.value
    if (value == null) throw new Error(`No ${field} was left for product ${product.id}.`)
    return value
  }
  const seo = {
    metaTitle: valueOf('metaTitle'),
    metaDescription: valueOf('metaDescription'),
    pageTitle: valueOf('pageTitle'),
    pageDescription,
    imageUrl,
    handle: valueOf('handle')
  }
  const next: ProductRecord = {
    ...product,
    version: product.version + 1,
    status: 'optimized',
    seo,
    claims: resolved.flatMap(({ claim }) => claim ?? []),
    optimizedFromDigest: made.from,
    optimizePendingSince: null
  }
  const seen =
    product.status === 'optimized' &&
    Object.entries(seo).every(([field, { value, source }]) =>
      isSame(product.seo[field as keyof typeof seo], { value, source })
    )
  return {
    ...next,
    updatedAt: seen ? product.updatedAt : made.at,
    eventPendingSince: eventPendingSince(product, next, made.at)
  }
}

function isSame(before: SeoValue | null, after: SeoValue): boolean {
  return before?.value === after.value && before.source === after.source
}

function eventPendingSince(before: ProductRecord, after: ProductRecord, at: string): string | null {
  const digest = outputsDigest(after)
  if (digest === after.publishedDigest) return null
  return before.eventPendingSince !== null && digest === outputsDigest(before) ? before.eventPendingSince : at
}
