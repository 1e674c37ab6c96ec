import type { VisualCheck, VisualFinding } from '../../schemas/visual-check.ts'

/**
 * The codes that count as a change: neither what was seen once of two times nor what costs nothing.
 */
const codesOf = (findings: readonly VisualFinding[]): Set<string> =>
  new Set(
    findings.filter(({ confidence, severity }) => confidence !== 'flaky' && severity !== 'info').map(({ code }) => code)
  )

/**
 * What is otherwise than at the check before, in the order of the alphabet; null where there was
 * none. `overallScore` is that of the check before.
 */
export function sinceOf(
  previous: Pick<VisualCheck, 'id' | 'overallScore' | 'findings'> | null,
  findings: readonly VisualFinding[]
): VisualCheck['since'] {
  if (previous === null) return null
  const [before, now] = [codesOf(previous.findings), codesOf(findings)]
  return {
    checkId: previous.id,
    overallScore: previous.overallScore,
    appeared: [...now.difference(before)].sort(),
    gone: [...before.difference(now)].sort()
  }
}
