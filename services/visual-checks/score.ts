import type { FindingCategory, Severity } from '../../schemas/visual-check.ts'

/** What a category counts in the whole; 100 together. */
export const WEIGHTS: Readonly<Record<FindingCategory, number>> = { content: 30, layout: 25, media: 10, style: 10, readability: 10, metadata: 10, runtime: 5 }
const PENALTY: Readonly<Record<Severity, number>> = { critical: 1, high: 0.5, medium: 0.3, low: 0.1, info: 0 }
/** The whole is never better than its worst finding allows. */
const CAP: Readonly<Record<Severity, number>> = { critical: 25, high: 70, medium: 89, low: 97, info: 100 }
const PARTIAL_CRITICAL_CAP = 45
const LEAST_EXTENT = 0.4
const LEAST_CRITICAL_EXTENT = 0.5

export interface Scored { category: FindingCategory, severity: Severity, extent: number, scored: boolean }

/** Rounds a share up to quarters, so that a pixel more or less changes no score. */
export const inQuarters = (share: number): number => share <= 0 ? 0 : Math.min(1, Math.max(0.25, Math.round(share * 4) / 4))

/** 0 to 100 for each category and in all; the same findings give the same score in whatever order they come. */
export function scoreOf (findings: readonly Scored[]): { overallScore: number, categories: Record<FindingCategory, number> } {
  const counted = findings.filter(({ scored }) => scored)
  const factor = ({ severity, extent }: Scored) => 1 - PENALTY[severity] * Math.max(severity === 'critical' ? LEAST_CRITICAL_EXTENT : LEAST_EXTENT, inQuarters(extent))
  const shares = Object.fromEntries(Object.keys(WEIGHTS).map((category) => [category, counted.filter((finding) => finding.category === category).reduce((share, finding) => share * factor(finding), 1)])) as Record<FindingCategory, number>
  const whole = Object.entries(WEIGHTS).reduce((sum, [category, weight]) => sum + weight * shares[category as FindingCategory], 0)
  const cap = Math.min(100, ...counted.map(({ severity, extent }) => severity === 'critical' && extent < 0.5 ? PARTIAL_CRITICAL_CAP : CAP[severity]))
  return { overallScore: Math.round(Math.min(whole, cap)), categories: Object.fromEntries(Object.entries(shares).map(([category, share]) => [category, Math.round(share * 100)])) as Record<FindingCategory, number> }
}
