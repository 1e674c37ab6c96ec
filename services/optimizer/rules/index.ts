import type { ProductRecord } from '../../../ports/store/port.ts'
import { handles } from './handles.ts'
import { metaDescriptions } from './meta-descriptions.ts'
import { fallbackLevels } from './fallback-levels.ts'
import { createSubject, type SubjectContext } from './subject.ts'
import { metaTitles, pageTitles } from './titles.ts'

export type { SubjectContext as Surroundings } from './subject.ts'

/**
 * Changes whenever a rule makes another text of the same product: then every product is worked on
 * again at its next turn.
 */
export const RULES_VERSION = '2'

/** The outputs that no two products of a project may share. */
export const UNIQUE_FIELDS = ['metaTitle', 'metaDescription', 'pageTitle', 'handle'] as const
export type UniqueField = (typeof UNIQUE_FIELDS)[number]

/**
 * For each of them, the best text first and those that take its place where another product has it,
 * made as they are asked for. None is empty.
 */
export type Drafts = Record<UniqueField, Iterator<string>>

/** What the rules make of a product. `pageDescription` and `imageUrl` may be '' and shared. */
export interface RuleResult {
  drafts: Drafts
  pageDescription: string
  imageUrl: string
}

/** Works out all outputs of a product by rules: pure, the same for the same product, no network. */
export function applyRules(product: ProductRecord, context: SubjectContext): RuleResult {
  const subject = createSubject(product, context)
  const levels = fallbackLevels(subject)
  return {
    drafts: {
      metaTitle: metaTitles(subject, levels),
      metaDescription: metaDescriptions(subject, levels),
      pageTitle: pageTitles(subject, levels),
      handle: handles(subject, levels)
    },
    pageDescription: subject.description,
    imageUrl: product.imageUrl ?? product.images[0] ?? ''
  }
}
