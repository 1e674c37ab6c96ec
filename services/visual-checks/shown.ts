import type { VisualCheckMetadata, VisualCheckRecord } from '../../ports/store/port.ts'
import type { VisualCheck, VisualCheckSummary } from '../../schemas/visual-check.ts'

/** A check as lists show it. */
export function shownSummary({
  id,
  blogId,
  url,
  finalUrl,
  environment,
  status,
  overallScore,
  reason,
  createdAt,
  finishedAt
}: VisualCheckMetadata): VisualCheckSummary {
  return { id, blogId, url, finalUrl, environment, status, overallScore, reason, createdAt, finishedAt }
}

/**
 * A check as callers see it; while nothing has come of it, what would have come is null or empty.
 */
export function shownCheck(check: VisualCheckRecord, publicUrl: string): VisualCheck {
  const { id, blogId, result } = check
  const pictures = `${publicUrl}/api/v1/blogs/${blogId}/visual-checks/${id}/screenshots`
  return {
    ...shownSummary(check),
    categories: result?.categories ?? null,
    findings: result?.findings ?? [],
    coverage: result?.coverage ?? null,
    screenshots: (result?.screenshots ?? []).map((screenshot) => ({
      ...screenshot,
      url: `${pictures}/${encodeURIComponent(screenshot.name)}`
    })),
    since: result?.since ?? null,
    checker: result?.checker ?? null,
    timings: result?.timings ?? null
  }
}
