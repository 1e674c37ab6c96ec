import type { PageInspection } from '../../ports/browser/port.ts'
import type { NewEvent, VisualCheckOutcome, VisualCheckRecord, VisualCheckResult } from '../../ports/store/port.ts'
import { newEvent } from '../events/envelope.ts'
import { CHECKER_VERSION, type Evaluation } from './evaluate.ts'
import { NOT_ALLOWED } from './page-url.ts'
import { getRule } from './rules/index.ts'
import { UNOPENED_CODES } from './rules/opening.ts'

type FinishedStatus = Exclude<VisualCheckOutcome['status'], 'queued' | 'running' | 'failed'>

/** The status of a finished check, by the outcome of its inspection. */
const STATUSES: Readonly<Record<PageInspection['outcome'], FinishedStatus>> = {
  inspected: 'completed',
  crashed: 'completed',
  blocked: 'blocked',
  unreachable: 'unreachable',
  redirecting: 'unreachable',
  reloading: 'unreachable',
  timeout: 'timeout'
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

/**
 * What the customer may read about a page that could not be opened. The URL that was blocked is not
 * disclosed. Null for pages that were inspected.
 */
export function getPublicReason({ outcome, reason }: Pick<PageInspection, 'outcome' | 'reason'>): string | null {
  if (outcome === 'inspected') return null
  return outcome === 'blocked' ? NOT_ALLOWED : (reason ?? getRule(UNOPENED_CODES[outcome]).message)
}

/** The outcome of a check whose page was evaluated. It always has a score. */
export function getScoredOutcome(
  { startedAt, createdAt }: VisualCheckRecord,
  { evaluation, inspection }: { evaluation: Evaluation; inspection: PageInspection },
  { screenshots, since }: Pick<VisualCheckResult, 'screenshots' | 'since'>
): VisualCheckOutcome {
  const { overallScore, categories, findings, coverage, rules, siteTexts } = evaluation
  const { outcome, finalUrl, chromium, missingFonts, timings } = inspection
  const finishedAt = new Date().toISOString()
  const startedMs = Date.parse(startedAt!)
  return {
    status: STATUSES[outcome],
    overallScore,
    reason: getPublicReason(inspection),
    finalUrl: outcome === 'blocked' ? null : finalUrl,
    finishedAt,
    result: {
      categories,
      findings,
      coverage,
      screenshots,
      siteTexts,
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
