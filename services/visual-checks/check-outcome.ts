import type { PageInspection } from '../../ports/browser/port.ts'
import type { NewEvent, VisualCheckOutcome, VisualCheckRecord, VisualCheckResult } from '../../ports/store/port.ts'
import { newEvent } from '../events/envelope.ts'
import { CHECKER_VERSION, type Evaluation } from './evaluate.ts'
import { NOT_ALLOWED } from './page-url.ts'

const REASONS = {
  unreachable: 'The page is unreachable.',
  timeout: 'The page did not load in time.'
}

/** The outcome of a check that failed on our side. */
export const getFailedOutcome = (reason: string): VisualCheckOutcome => ({
  status: 'failed',
  overallScore: null,
  reason,
  finalUrl: null,
  result: null,
  finishedAt: new Date().toISOString()
})

/** The outcome of a check whose page could not be inspected. */
export function getUninspectedOutcome({ outcome, reason, finalUrl }: PageInspection): VisualCheckOutcome {
  if (outcome === 'inspected' || outcome === 'crashed') throw new Error('This page must be evaluated')
  const end = { status: outcome, overallScore: null, result: null, finishedAt: new Date().toISOString() }
  // The URL that was blocked is not disclosed.
  return outcome === 'blocked'
    ? { ...end, reason: NOT_ALLOWED, finalUrl: null }
    : { ...end, reason: reason ?? REASONS[outcome], finalUrl }
}

/** The outcome of a check whose page was evaluated. */
export function getCompletedOutcome(
  { startedAt, createdAt }: VisualCheckRecord,
  { evaluation, inspection }: { evaluation: Evaluation; inspection: PageInspection },
  { screenshots, since }: Pick<VisualCheckResult, 'screenshots' | 'since'>
): VisualCheckOutcome {
  const { overallScore, categories, findings, coverage, rules } = evaluation
  const { finalUrl, chromium, missingFonts, timings } = inspection
  const finishedAt = new Date().toISOString()
  const startedMs = Date.parse(startedAt!)
  return {
    status: 'completed',
    overallScore,
    reason: null,
    finalUrl,
    finishedAt,
    result: {
      categories,
      findings,
      coverage,
      screenshots,
      since,
      checker: { version: CHECKER_VERSION, chromium, fonts: { missing: missingFonts }, rules },
      timings: {
        queuedMs: startedMs - Date.parse(createdAt),
        totalMs: Date.parse(finishedAt) - startedMs,
        viewports: timings
      }
    }
  }
}

/** The event of a finished check. To stay small, it has neither the texts nor the locations. */
export function createCompletedEvent(
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
