import type { FindingCategory, Severity } from '../../schemas/visual-check.ts'

/** The weight of each category in the overall score. The sum is 100. */
export const WEIGHTS: Readonly<Record<FindingCategory, number>> = {
  content: 30,
  layout: 25,
  media: 10,
  style: 10,
  readability: 10,
  metadata: 10,
  runtime: 5
}
/** What a finding of full extent takes from its category. */
const PENALTY: Readonly<Record<Severity, number>> = { critical: 1, high: 0.5, medium: 0.3, low: 0.1, info: 0 }
/** The maximum overall score of a page with such a finding. */
const CAP: Readonly<Record<Severity, number>> = { critical: 25, high: 70, medium: 89, low: 97, info: 100 }
/** For critical findings that affect less than half. */
const PARTIAL_CRITICAL_CAP = 45
const MIN_EXTENT = 0.4
const MIN_CRITICAL_EXTENT = 0.5

/**
 * What each further finding takes from the score that the most severe one leaves. The worst finding
 * alone decides at first, so that its limit is what readers of the documentation expect.
 */
const FURTHER_PENALTY: Readonly<Record<Severity, number>> = {
  critical: 0.2,
  high: 0.15,
  medium: 0.05,
  low: 0.005,
  info: 0
}

export interface ScoredFinding {
  category: FindingCategory
  severity: Severity
  extent: number
  scored: boolean
  /** Nobody can read the page: all scores are 0. */
  fatal?: boolean
}

/**
 * Rounds a share to quarters, so that a difference of a pixel does not change the score. Shares
 * above 0 give at least one quarter.
 */
export const roundToQuarters = (share: number): number =>
  share <= 0 ? 0 : Math.min(1, Math.max(0.25, Math.round(share * 4) / 4))

/** The share of its category's score that a finding leaves, 0 to 1. */
function getRemainingShare({ severity, extent }: ScoredFinding): number {
  const minExtent = severity === 'critical' ? MIN_CRITICAL_EXTENT : MIN_EXTENT
  return 1 - PENALTY[severity] * Math.max(minExtent, roundToQuarters(extent))
}

/** The maximum overall score that a finding allows. */
const getCap = ({ severity, extent }: ScoredFinding): number =>
  severity === 'critical' && roundToQuarters(extent) < 0.5 ? PARTIAL_CRITICAL_CAP : CAP[severity]

/** Sorted first: a floating point product depends on the order of its factors. */
const multiply = (factors: readonly number[]): number =>
  [...factors].sort((a, b) => a - b).reduce((product, factor) => product * factor, 1)

/** The limit of the most severe finding, lowered by every further one. */
function getLimit(findings: readonly ScoredFinding[]): number {
  const [worst, ...further] = findings.toSorted((a, b) => getCap(a) - getCap(b))
  if (worst === undefined) return 100
  return getCap(worst) * multiply(further.map(({ severity }) => 1 - FURTHER_PENALTY[severity]))
}

/**
 * Computes the scores, 0 to 100. The order of the findings does not matter, and a further finding
 * never raises a score.
 */
export function computeScore(findings: readonly ScoredFinding[]): {
  overallScore: number
  categories: Record<FindingCategory, number>
} {
  const counted = findings.filter(({ scored }) => scored)
  const isFatal = counted.some(({ fatal }) => fatal === true)
  const shares = Object.entries(WEIGHTS).map(([category, weight]) => ({
    category,
    weight,
    share: isFatal ? 0 : multiply(counted.filter((finding) => finding.category === category).map(getRemainingShare))
  }))
  const total = shares.reduce((sum, { weight, share }) => sum + weight * share, 0)
  const categories = Object.fromEntries(
    shares.map(({ category, share }) => [category, Math.round(share * 100)])
  ) as Record<FindingCategory, number>
  return { overallScore: Math.round(Math.min(total, getLimit(counted))), categories }
}
