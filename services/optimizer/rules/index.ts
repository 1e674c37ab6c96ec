import type { ProductRecord } from '../../../ports/store/port.ts'
import { handles } from './handles.ts'
import { metaDescriptions } from './meta-descriptions.ts'
import { fallbackLevels } from './fallback-levels.ts'
import { createSubject, type SubjectContext } from './subject.ts'
import { metaTitles, pageTitles } from './titles.ts'

export type { SubjectContext } from './subject.ts'

/**
 * Increase whenever a rule produces a different text: every product is then optimized again the
 * next time it is pending.
 */
export const RULES_VERSION = '5'

/** The outputs that must be unique in a project. */
export const UNIQUE_FIELDS = ['metaTitle', 'metaDescription', 'pageTitle', 'handle'] as const
export type UniqueField = (typeof UNIQUE_FIELDS)[number]

/** Candidates for each unique output, best first, generated lazily and never empty. */
export type Drafts = Record<UniqueField, Iterator<string>>

/** The texts of the rules. `pageDescription` and `imageUrl` may be empty or shared. */
export interface RuleResult {
  drafts: Drafts
  pageDescription: string
  imageUrl: string
}

/** Generates all outputs of a product by rules. Pure and deterministic, without network access. */
export function applyRules(product: ProductRecord, context: SubjectContext): RuleResult {
  return prepareRules(product, context)()
}

/** The same in two steps: the product is read once, which takes most of the time; each call returns new iterators. */
export function prepareRules(product: ProductRecord, context: SubjectContext): () => RuleResult {
  const subject = createSubject(product, context)
  const levels = fallbackLevels(subject)
  return () => ({
    drafts: {
      metaTitle: metaTitles(subject, levels),
      metaDescription: metaDescriptions(subject),
      pageTitle: pageTitles(subject, levels),
      handle: handles(subject, levels)
    },
    pageDescription: subject.description,
    imageUrl: pictureOf(product)
  })
}

/** The first picture of a product, or ''. */
export const pictureOf = ({ imageUrl, images }: ProductRecord): string => imageUrl ?? images[0] ?? ''
