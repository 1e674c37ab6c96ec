import type { VisualCheck } from '../../schemas/visual-check.ts'

/** NOT TO BE MERGED: a placeholder for types alone. */
export function sinceOf (previous: VisualCheck | null, _current: Pick<VisualCheck, 'overallScore' | 'findings'>): VisualCheck['since'] {
  return previous === null ? null : { checkId: previous.id, overallScore: previous.overallScore, appeared: [], gone: [] }
}
