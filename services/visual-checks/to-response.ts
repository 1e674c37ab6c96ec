import type { VisualCheckMetadata, VisualCheckRecord } from '../../ports/store/port.ts'
import type { VisualCheck, VisualCheckSummary } from '../../schemas/visual-check.ts'

/** A check as a list item. */
export function toSummary({
  id,
  blogId,
  url,
  finalUrl,
  environment,
  trigger,
  status,
  overallScore,
  reason,
  createdAt,
  finishedAt
}: VisualCheckMetadata): VisualCheckSummary {
  return { id, blogId, url, finalUrl, environment, trigger, status, overallScore, reason, createdAt, finishedAt }
}

/** A check as the API returns it. The results of an unfinished check are null or empty. */
export function toResponse(check: VisualCheckRecord, publicUrl: string): VisualCheck {
  const { id, blogId, result } = check
  const screenshotsUrl = `${publicUrl}/api/v1/blogs/${blogId}/visual-checks/${id}/screenshots`
  return {
    ...toSummary(check),
    categories: result?.categories ?? null,
    findings: result?.findings ?? [],
    coverage: result?.coverage ?? null,
    screenshots: (result?.screenshots ?? []).map((screenshot) => ({
      ...screenshot,
      url: `${screenshotsUrl}/${encodeURIComponent(screenshot.name)}`
    })),
    since: result?.since ?? null,
    checker: result?.checker ?? null,
    timings: result?.timings ?? null
  }
}
