import type { FindingCategory, Severity } from '../../schemas/visual-check.ts'

/** What a category counts in the whole; 100 together. */
export const WEIGHTS: Readonly<Record<FindingCategory, number>> = {
  content: 30,
  layout: 25,
  media: 10,
  style: 10,
  readability: 10,
  metadata: 10,
  runtime: 5
}
const PENALTY: Readonly<Record<Severity, number>> = { critical: 1, high: 0.5, medium: 0.3, low: 0.1, info: 0 }
/** The whole is never better than its worst finding allows. */
const CAP: Readonly<Record<Severity, number>> = { critical: 25, high: 70, medium: 89, low: 97, info: 100 }
const PARTIAL_CRITICAL_CAP = 45
const LEAST_EXTENT = 0.4
const LEAST_CRITICAL_EXTENT = 0.5

export interface Scored {
  category: FindingCategory
  severity: Severity
  extent: number
  scored: boolean
}

/**
 * Rounds a share to quarters, so that a pixel more or less changes no score; a trace counts as one
 * quarter.
 */
export const inQuarters = (share: number): number =>
  share <= 0 ? 0 : Math.min(1, Math.max(0.25, Math.round(share * 4) / 4))

/** What a finding leaves of its category, 0 to 1. */
const factorOf = ({ severity, extent }: Scored): number =>
  1 - PENALTY[severity] * Math.max(severity === 'critical' ? LEAST_CRITICAL_EXTENT : LEAST_EXTENT, inQuarters(extent))

/** The best that a finding allows the whole. */
const capOf = ({ severity, extent }: Scored): number =>
  severity === 'critical' && inQuarters(extent) < 0.5 ? PARTIAL_CRITICAL_CAP : CAP[severity]

/** The product in a fixed order: that of floating point numbers depends on it. */
const product = (factors: readonly number[]): number =>
  [...factors].sort((a, b) => a - b).reduce((whole, factor) => whole * factor, 1)

/**
 * 0 to 100 for each category and in all; the same findings give the same score in whatever order
 * they come.
 */
export function scoreOf(findings: readonly Scored[]): {
  overallScore: number
  categories: Record<FindingCategory, number>
} {
  const counted = findings.filter(({ scored }) => scored)
  const shares = Object.entries(WEIGHTS).map(([category, weight]) => ({
    category,
    weight,
    share: product(counted.filter((finding) => finding.category === category).map(factorOf))
  }))
  const whole = shares.reduce((sum, { weight, share }) => sum + weight * share, 0)
  const categories = Object.fromEntries(
    shares.map(({ category, share }) => [category, Math.round(share * 100)])
  ) as Record<FindingCategory, number>
  return { overallScore: Math.round(Math.min(whole, 100, ...counted.map(capOf))), categories }
}
