import { DEMO } from './demo.ts'

const { checkId: id, blogId } = DEMO
const SERVICE = 'https://content.harbor-coffee.example'
const page = `https://harbor-coffee.example/journal/${DEMO.slug}`
const categories = { content: 100, layout: 60, media: 100, style: 100, readability: 100, metadata: 90, runtime: 100 }

const hidden = {
  code: 'TEXT_COVERED',
  category: 'layout',
  severity: 'high',
  confidence: 'certain',
  message: 'Text is covered by another element.',
  advice: 'Move or close the covering element, or reserve space for it.',
  viewports: ['mobile'],
  extent: 0.25,
  scope: 'article',
  count: 1,
  locations: [
    {
      viewport: 'mobile',
      selector: 'article > p:nth-of-type(3)',
      box: { x: 16, y: 1204, width: 358, height: 96 },
      block: 4
    }
  ],
  evidence: { coveredShare: 0.82, coveredBy: 'div.newsletter' }
}
const summary = {
  id,
  blogId,
  url: page,
  finalUrl: page,
  environment: 'live',
  trigger: 'request',
  status: 'completed',
  overallScore: 70,
  reason: null,
  createdAt: '2026-01-31T10:00:00.000Z',
  finishedAt: '2026-01-31T10:00:04.210Z'
}
const since = {
  checkId: '0198e69f-22aa-7b10-9c5d-0e1f2a3b4c5d',
  overallScore: 98,
  appeared: ['TEXT_COVERED'],
  gone: []
}
const check = {
  ...summary,
  categories,
  findings: [hidden],
  coverage: { inDom: 1, visible: 0.94, cssHeld: 1, compared: 0.97, measured: 1 },
  screenshots: [
    {
      name: DEMO.screenshot,
      kind: 'thumb',
      viewport: 'mobile',
      finding: null,
      url: `${SERVICE}/api/v1/blogs/${blogId}/visual-checks/${id}/screenshots/${DEMO.screenshot}`,
      width: 320,
      height: 692
    }
  ],
  since,
  checker: { version: '1', chromium: '153.0.0.0', fonts: { missing: [] }, rules: { TEXT_COVERED: 1 } },
  timings: { queuedMs: 12, totalMs: 4198, viewports: { mobile: { load: 1840 }, desktop: { load: 1710 } } }
}

/** Examples of visual checks and their events. */
export const visualCheckExamples: Readonly<Record<string, unknown>> = {
  VisualCheckInput: { url: summary.url, environment: 'live' },
  VisualFinding: hidden,
  VisualCheck: check,
  VisualCheckSummary: summary,
  VisualCheckList: { visualChecks: [summary], totalCount: 1, page: 1, totalPages: 1 },
  VisualCheckCompletedEvent: {
    id: '0198e6b0-3c4d-7e5f-a061-7283940a1b2c',
    apiVersion: '2026-11-01',
    timestamp: summary.finishedAt,
    sequence: 18,
    type: 'visual_check.completed',
    data: {
      checkId: id,
      projectId: DEMO.projectId,
      blogId,
      url: summary.url,
      finalUrl: summary.finalUrl,
      environment: 'live',
      status: 'completed',
      overallScore: 70,
      reason: null,
      categories,
      findings: [
        {
          code: 'TEXT_COVERED',
          category: 'layout',
          severity: 'high',
          confidence: 'certain',
          viewports: ['mobile'],
          count: 1
        }
      ],
      since
    }
  }
}
/** A check that goes on. */
export const waitingCheck = {
  ...check,
  finalUrl: null,
  status: 'queued',
  overallScore: null,
  categories: null,
  findings: [],
  coverage: null,
  screenshots: [],
  since: null,
  checker: null,
  timings: null,
  finishedAt: null
}
