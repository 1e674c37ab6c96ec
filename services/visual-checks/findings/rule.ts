import type { ElementLocation, ViewportSnapshot } from '../../../ports/browser/port/page-snapshot.ts'
import type { ExpectedBlog } from '../../../ports/browser/port.ts'
import type { Confidence, Environment, FindingCategory, Severity } from '../../../schemas/visual-check.ts'

/** What is known of our own side. */
export interface Expected extends ExpectedBlog {
  url: string
  environment: Environment
  metaDescription: string
  ogImageUrl: string | null
  canonicalUrl: string | null
}

/** What a rule looks at: one viewport, and what should be there. */
export interface Sight {
  facts: ViewportSnapshot
  expected: Expected
}

/** What a rule found in one viewport; what is left out comes from the rule. */
export interface Found {
  /**
   * The affected share of what it is about, 0 to 1, as measured; it is rounded to quarters later.
   */
  extent: number
  /** The worst first. `block` is the index of a block of ours. */
  places: { place: ElementLocation; block?: number }[]
  /** How many places there are; default the length of `places`, at least 1. */
  count?: number
  evidence: Record<string, unknown>
  expected?: string
  actual?: string
  severity?: Severity
  confidence?: Confidence
  scope?: 'article' | 'site'
}

/** One kind of defect. Pure: the same sight gives the same answer. */
export interface Rule {
  category: FindingCategory
  severity: Severity
  scope: 'article' | 'site'
  /** Goes up when the rule judges otherwise than before. */
  version: number
  /** One sentence for a developer or QA person: what is wrong. */
  message: string
  /** One or two sentences: what to do. */
  advice: string
  find: (sight: Sight) => Found | null
}
