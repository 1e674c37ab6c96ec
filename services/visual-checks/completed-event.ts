import type { NewEvent, VisualCheckOutcome, VisualCheckRecord } from '../../ports/store/port.ts'
import { newEvent } from '../events/envelope.ts'

/**
 * What is told of a check that has ended: its verdict and the kinds of findings. Texts and places
 * are read with the check itself, so that an event stays small.
 */
export function completedEvent(
  { id, accountId, projectId, blogId, url, environment }: VisualCheckRecord,
  { finishedAt, finalUrl, status, overallScore, reason, result }: VisualCheckOutcome
): NewEvent {
  return newEvent({
    accountId,
    projectId,
    type: 'visual_check.completed',
    key: id,
    timestamp: finishedAt,
    data: {
      checkId: id,
      projectId,
      blogId,
      url,
      finalUrl,
      environment,
      status,
      overallScore,
      reason,
      categories: result?.categories ?? null,
      findings: (result?.findings ?? []).map(({ code, category, severity, confidence, viewports, count }) => ({
        code,
        category,
        severity,
        confidence,
        viewports,
        count
      })),
      since: result?.since ?? null
    }
  })
}
