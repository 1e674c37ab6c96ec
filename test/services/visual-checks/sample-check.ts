import type { VisualCheck, VisualFinding } from '../../../schemas/visual-check.ts'

export const hiddenText: VisualFinding = {
  code: 'TEXT_HIDDEN',
  category: 'layout',
  severity: 'critical',
  confidence: 'certain',
  message: 'Text of the blog is in the page, but a reader cannot see it.',
  advice: 'Look for display: none, visibility: hidden or a height of 0 on the element or above it, and take it out.',
  viewports: ['mobile', 'desktop'],
  extent: 0.5,
  scope: 'article',
  count: 12,
  locations: [
    {
      viewport: 'mobile',
      selector: 'main > article > div.body > p:nth-child(3)',
      box: { x: 20, y: 612.4, width: 350, height: 96 },
      block: 2
    },
    {
      viewport: 'desktop',
      selector: 'main > article > div.body > p:nth-child(3)',
      box: { x: 323, y: 540, width: 720, height: 60 },
      block: 2
    },
    { viewport: 'mobile', selector: 'main > article > div.body > p:nth-child(4)', box: null, block: 3 }
  ],
  evidence: { hiddenShare: 0.5, cause: 'opacity', opacity: 0, blocks: [2, 3, 4, 5, 6] },
  expected: 'A wide tyre rolls more softly over gravel, and no slower than a narrow one.',
  actual: ''
}

export const thinContrast: VisualFinding = {
  code: 'LOW_CONTRAST',
  category: 'readability',
  severity: 'medium',
  confidence: 'review',
  message: 'Text has too little contrast to its ground.',
  advice: 'Give the text a color of at least 4.5 to 1 on its ground.',
  viewports: ['desktop'],
  extent: 0.25,
  scope: 'site',
  count: 1,
  locations: [
    { viewport: 'desktop', selector: 'footer p', box: { x: 0, y: 2300, width: 1366, height: 80 }, block: null }
  ],
  evidence: { contrast: 2.8432 }
}

/** A check of a page with two flaws. */
export const sampleCheck: VisualCheck = {
  id: '019a0000-0000-7000-8000-000000000001',
  blogId: '019a0000-0000-7000-8000-000000000002',
  url: 'https://shop.example/blog/which-tyre-width',
  finalUrl: 'https://shop.example/blog/which-tyre-width/',
  environment: 'live',
  status: 'completed',
  overallScore: 45,
  reason: null,
  categories: { content: 100, layout: 50, media: 100, style: 100, readability: 88, metadata: 99, runtime: 0 },
  findings: [hiddenText, thinContrast],
  coverage: { inDom: 1, visible: 0.504, cssHeld: 0.998 },
  screenshots: [],
  since: {
    checkId: '019a0000-0000-7000-8000-000000000003',
    overallScore: 97,
    appeared: ['TEXT_HIDDEN'],
    gone: ['FONT_SMALL']
  },
  checker: {
    version: '1',
    chromium: '153.0.1',
    fonts: { missing: ['Arabic'] },
    rules: { TEXT_HIDDEN: 1, LOW_CONTRAST: 1 }
  },
  timings: { queuedMs: 20, totalMs: 3210, viewports: {} },
  createdAt: '2026-11-21T19:04:05.000Z',
  finishedAt: '2026-11-21T19:04:09.000Z'
}
