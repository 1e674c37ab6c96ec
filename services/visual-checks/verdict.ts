import type { Browser, InspectRequest, PageInspection } from '../../ports/browser/port.ts'
import type { VisualCheckOutcome, VisualCheckRecord, VisualCheckResult } from '../../ports/store/port.ts'
import type { Expected } from './findings/rule.ts'
import { CHECKER_VERSION, judge, type Judgment } from './judge.ts'
import { NOT_ALLOWED } from './page-address.ts'
import { confirm, needsSecondLook } from './second-look.ts'

/** What came of looking: a judgment, or why there is none. */
export type Verdict = { judged: Judgment; sighting: PageInspection } | { judged: null; sighting: PageInspection }

/**
 * Looks at the page and judges it; what is grave is looked at once more, so that nothing is held
 * against a page that was seen only once.
 */
export async function reachVerdict(browser: Browser, look: InspectRequest, expected: Expected): Promise<Verdict> {
  const sighting = await browser.inspectPage(look)
  if (sighting.outcome !== 'inspected') return { judged: null, sighting }
  const judged = judge({ facts: sighting.snapshots, expected, missingFonts: sighting.missingFonts })
  if (!needsSecondLook(judged)) return { judged, sighting }
  const again = await browser.inspectPage({ ...look, screenshotDetail: 'none' })
  // Who cannot be reached a second time contradicts nothing: the first judgment stands.
  if (again.outcome !== 'inspected') return { judged, sighting }
  return {
    judged: confirm(judged, judge({ facts: again.snapshots, expected, missingFonts: again.missingFonts })),
    sighting
  }
}

const STATUSES = { blocked: 'blocked', unreachable: 'unreachable', timeout: 'timeout', crashed: 'failed' } as const
const REASONS = {
  blocked: NOT_ALLOWED,
  unreachable: 'Nothing answered at this address.',
  timeout: 'Nothing that can be judged came in time.',
  crashed: 'The browser ended twice while it showed the page.'
}

/** How a check ends whose page was not seen: without a score. */
export function unseenEnd({ outcome, reason, finalUrl }: PageInspection, finishedAt: string): VisualCheckOutcome {
  if (outcome === 'inspected') throw new Error('A page that was seen is judged.')
  // Where a blocked way led is not told.
  const blocked = outcome === 'blocked'
  return {
    status: STATUSES[outcome],
    overallScore: null,
    reason: blocked ? REASONS.blocked : (reason ?? REASONS[outcome]),
    finalUrl: blocked ? null : finalUrl,
    result: null,
    finishedAt
  }
}

/** How a check ends whose page was judged. */
export function judgedEnd(
  check: VisualCheckRecord,
  verdict: { judged: Judgment; sighting: PageInspection },
  more: Pick<VisualCheckResult, 'screenshots' | 'since'> & { finishedAt: string }
): VisualCheckOutcome {
  const {
    judged: { overallScore, categories, findings, coverage, rules },
    sighting: { finalUrl, chromium, missingFonts, timings }
  } = verdict
  const { finishedAt, screenshots, since } = more
  const begunMs = Date.parse(check.startedAt!)
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
        queuedMs: begunMs - Date.parse(check.createdAt),
        totalMs: Date.parse(finishedAt) - begunMs,
        viewports: timings
      }
    }
  }
}
