import type { ExpectedBlog } from '../../../ports/browser/port.ts'
import type { ElementLocation, ViewportSnapshot } from '../../../ports/browser/port/page-snapshot.ts'
import type { Confidence, Environment, FindingCategory, Severity } from '../../../schemas/visual-check.ts'
import type { FindingCode } from './codes.ts'

/** The blog as the page should show it. */
export interface ExpectedPage extends ExpectedBlog {
  url: string
  environment: Environment
  /** The author's title for the title element. Default: the title. */
  metaTitle?: string
  metaDescription: string
  ogImageUrl: string | null
  canonicalUrl: string | null
  /** ISO 8601. Without it, dates are not compared. */
  publishedAt?: string
  updatedAt?: string
  /** The translations of the blog, including itself. `url`: null if unknown. */
  translations?: readonly { hreflang: string; url: string | null }[]
  /** Hashes of texts that pages of other blogs of the site have in and around the article. */
  siteTexts?: readonly string[]
}

/** What a rule reads: the snapshot of one viewport, and the expected page. */
export interface RuleInput {
  snapshot: ViewportSnapshot
  expected: ExpectedPage
}

/** `block`: index of the block in our own HTML, where the place belongs to one. */
export interface HitPlace {
  place: ElementLocation
  block?: number
}

/** What a rule detected in one viewport. The rule supplies the fields that are left out. */
export interface RuleHit {
  /** Affected share, 0 to 1, as measured. Scoring rounds the value to quarters. */
  extent: number
  /** The most important place first. */
  places: HitPlace[]
  /** Number of places. Default: the length of `places`, at least 1. */
  count?: number
  evidence: Record<string, unknown>
  expected?: string
  actual?: string
  severity?: Severity
  confidence?: Confidence
  scope?: 'article' | 'site'
  /** What is wrong, where a rule can describe it more precisely than for all pages with its code. */
  message?: string
  advice?: string
}

/**
 * Codes that a finding suppresses because they are consequences of the same defect. The condition
 * compares the extents of both findings.
 */
export interface Suppression {
  always?: readonly FindingCode[]
  /** If this finding affects at least 20 %. */
  ifExtentAtLeast20?: readonly FindingCode[]
  /** If this finding affects at least 50 %. */
  ifExtentAtLeast50?: readonly FindingCode[]
  /** If the other finding affects no more than this one: a trace must not hide a larger defect. */
  ifNotLarger?: readonly FindingCode[]
  /** If the element that covers the text is in the normal flow (`position: static`). */
  ifCoveredInFlow?: readonly FindingCode[]
}

/** One kind of defect. Rules are pure: equal inputs give equal hits. */
export interface Rule {
  code: FindingCode
  category: FindingCategory
  severity: Severity
  /** `article`: concerns the blog. `site`: concerns the site around the blog. */
  scope: 'article' | 'site'
  /** Incremented whenever the rule may give another result for the same snapshot. */
  version: number
  /** What is wrong, in one sentence. */
  message: string
  /** How to fix the defect, in one or two sentences. */
  advice: string
  detect: (input: RuleInput) => RuleHit | null
  suppresses?: Suppression
}
