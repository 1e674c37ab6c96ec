import type { VisualCheck } from '../../../schemas/visual-check.ts'
import { SEVERITIES } from '../../../schemas/visual-check.ts'
import { countOf, formatTable } from '../output.ts'

/**
 * Why a check fails a build, or null if it passes: with `failUnder` a lower score, otherwise a page
 * that could not be opened. A check without a score always fails.
 */
export function failureOf(
  { status, overallScore, reason }: Pick<VisualCheck, 'status' | 'overallScore' | 'reason'>,
  failUnder: number | null
): string | null {
  if (overallScore === null) return reason ?? 'The check has no score.'
  if (failUnder !== null) {
    return overallScore >= failUnder ? null : `The score ${overallScore} is lower than ${failUnder}.`
  }
  return status === 'completed' ? null : (reason ?? 'The page could not be opened.')
}

/** The pages of a site with their scores, the lowest first, and the totals. */
export function renderSummary(
  checks: readonly VisualCheck[],
  { skipped, unchecked, failUnder }: { skipped: number; unchecked: number; failUnder: number | null }
): string[] {
  const rows = checks
    .toSorted((a, b) => (a.overallScore ?? -1) - (b.overallScore ?? -1) || (a.url < b.url ? -1 : 1))
    .map((check) => [
      check.url,
      check.overallScore === null ? '-' : String(check.overallScore),
      ...SEVERITIES.slice(0, -1).map((severity) => String(countScored(check, severity))),
      failureOf(check, failUnder) === null ? 'passed' : 'FAILED'
    ])
  const failed = checks.filter((check) => failureOf(check, failUnder) !== null).length
  const scores = checks.flatMap(({ overallScore }) => (overallScore === null ? [] : [overallScore]))
  const mean = scores.length === 0 ? '-' : (scores.reduce((sum, score) => sum + score, 0) / scores.length).toFixed(0)
  return [
    ...formatTable(['page', 'score', ...SEVERITIES.slice(0, -1), 'result'], rows),
    '',
    [
      `${countOf(checks.length, 'page')}: ${checks.length - failed} passed, ${failed} failed`,
      `mean score ${mean}`,
      ...(unchecked === 0 ? [] : [`${unchecked} not checked`]),
      ...(skipped === 0
        ? []
        : [`${countOf(skipped, 'other page')} of the sitemap ${skipped === 1 ? 'shows' : 'show'} no published blog`])
    ].join(' · ')
  ]
}

const countScored = ({ findings }: VisualCheck, severity: string): number =>
  findings.filter((finding) => finding.severity === severity && finding.confidence === 'certain').length
