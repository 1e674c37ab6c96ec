import type { Browser } from '../../ports/browser/port.ts'
import { VIEWPORT_NAMES, type VisualFinding } from '../../schemas/visual-check.ts'
import { checkPage } from '../../services/visual-checks/confirm.ts'
import { renderScreenshots } from '../../services/visual-checks/screenshots/index.ts'
import type { BenchPage } from './helpers.ts'

/** `score`: 0 if the page could not be opened. `outcome` has the reason. */
export interface CheckOutcome {
  ms: number
  outcome: string
  score: number
  findings: VisualFinding[]
}

/**
 * Checks a page as the service does: two viewports, a second inspection for critical findings, and
 * thumbnails. `ms` includes the start of a browser if none is running. Each account has a browser of its own.
 */
export async function measureCheck(
  browser: Browser,
  { url, expected }: BenchPage,
  accountId = 'bench'
): Promise<CheckOutcome> {
  const { title, html, css, language } = expected
  const startMs = performance.now()
  const request = {
    url,
    accountId,
    blog: { title, html, css, language },
    viewports: VIEWPORT_NAMES,
    screenshotDetail: 'thumbs' as const,
    signal: new AbortController().signal
  }
  const { evaluation, inspection } = await checkPage(browser, request, { expected })
  const { screenshots, outcome } = inspection
  const { findings, overallScore: score } = evaluation
  let thumbnails = 0
  for await (const { bytes } of renderScreenshots({ screenshots, findings, detail: 'thumbs' })) {
    thumbnails += Number(bytes.length > 0)
  }
  if (outcome === 'inspected' && thumbnails !== VIEWPORT_NAMES.length) {
    throw new Error(`${url} has ${thumbnails} thumbnails`)
  }
  return { ms: performance.now() - startMs, outcome, score, findings }
}

/** Like `measureCheck`, but throws if the page was not inspected: failures must not look fast. */
export async function measureInspectedCheck(browser: Browser, page: BenchPage): Promise<CheckOutcome> {
  const check = await measureCheck(browser, page)
  if (check.outcome !== 'inspected') throw new Error(`${page.id} was not inspected: ${check.outcome}`)
  return check
}
