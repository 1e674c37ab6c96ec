import type { VisualCheck, VisualFinding } from '../../schemas/visual-check.ts'

/** The codes that count as a change. Flaky and info findings do not. */
const getCodes = (findings: readonly VisualFinding[]): Set<string> =>
  new Set(
    findings.filter(({ confidence, severity }) => confidence !== 'flaky' && severity !== 'info').map(({ code }) => code)
  )

/**
 * Compares findings with those of the previous check. Codes are sorted; `overallScore` is the
 * previous one. Null if there is no previous check.
 */
export function diffWithPrevious(
  previous: Pick<VisualCheck, 'id' | 'overallScore' | 'findings'> | null,
  findings: readonly VisualFinding[]
): VisualCheck['since'] {
  if (previous === null) return null
  const [before, now] = [getCodes(previous.findings), getCodes(findings)]
  return {
    checkId: previous.id,
    overallScore: previous.overallScore,
    appeared: [...now.difference(before)].sort(),
    gone: [...before.difference(now)].sort()
  }
}
