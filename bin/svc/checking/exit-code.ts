import type { VisualCheck } from '../../../schemas/visual-check.ts'

/**
 * 1 where the page could not be judged, or has a lower score than the least that will do; 0
 * otherwise.
 */
export function exitCodeOf(
  { status, overallScore }: Pick<VisualCheck, 'status' | 'overallScore'>,
  failUnder: number | null
): 0 | 1 {
  if (failUnder !== null) return overallScore !== null && overallScore >= failUnder ? 0 : 1
  return status === 'completed' ? 0 : 1
}
