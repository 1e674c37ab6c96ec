import type { VisualCheckOutcome, VisualCheckRecord, VisualCheckResult } from '../../../ports/store/port.ts'
import { idOf, minute } from './given.ts'

let made = 500_000

/** A queued check of the account `acme`; a later one has the greater id. */
export function aCheck(change: Partial<VisualCheckRecord> = {}): VisualCheckRecord {
  made += 1
  return {
    id: idOf(made),
    accountId: 'acme',
    projectId: 'site',
    blogId: 'b-1',
    url: 'https://shop.example/blog/tea?a=1',
    finalUrl: null,
    environment: 'live',
    viewports: ['mobile', 'desktop'],
    detail: 'thumbs',
    status: 'queued',
    overallScore: null,
    reason: null,
    attempts: 0,
    createdAt: minute(made - 2_000_000),
    startedAt: null,
    finishedAt: null,
    result: null,
    ...change
  }
}

export const RESULT: VisualCheckResult = {
  categories: { content: 100, layout: 70, media: 100, style: 100, readability: 90, metadata: 100, runtime: 100 },
  findings: [
    {
      code: 'TEXT_HIDDEN',
      category: 'layout',
      severity: 'high',
      confidence: 'certain',
      message: 'Text is hidden.',
      advice: 'Show it.',
      viewports: ['mobile'],
      extent: 0.25,
      scope: 'article',
      count: 2,
      locations: [
        { viewport: 'mobile', selector: 'p:nth-of-type(2)', box: { x: 0.5, y: 10, width: 300, height: 20 }, block: 3 }
      ],
      evidence: { 'a.b': 1, $opacity: 0, nested: { '': null } },
      expected: 'Zoë 😀'
    }
  ],
  coverage: { inDom: 1, visible: 0.75, cssHeld: 0.123456789 },
  screenshots: [{ name: 'k3.webp', kind: 'thumb', viewport: 'mobile', finding: null, width: 320, height: 693 }],
  since: { checkId: idOf(1), overallScore: null, appeared: ['TEXT_HIDDEN'], gone: [] },
  checker: { version: '1', chromium: '153', fonts: { missing: [] }, rules: { TEXT_HIDDEN: 1 } },
  timings: { queuedMs: 3, totalMs: 900, viewports: { mobile: { goto: 100 } } }
}

/** A check that went well. */
export const anEnd = (change: Partial<VisualCheckOutcome> = {}): VisualCheckOutcome => ({
  status: 'completed',
  overallScore: 70,
  reason: null,
  finalUrl: 'https://shop.example/blog/tea',
  result: RESULT,
  finishedAt: minute(9),
  ...change
})

/** A check that has ended at this time. */
export const ended = (finishedAt: string, change: Partial<VisualCheckRecord> = {}): VisualCheckRecord =>
  aCheck({ ...anEnd({ finishedAt }), attempts: 1, startedAt: minute(8), ...change })
