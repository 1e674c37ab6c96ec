import type { Browser } from '../../ports/browser/port.ts'
import { VIEWPORT_NAMES, type VisualFinding } from '../../schemas/visual-check.ts'
import { drawPictures } from '../../services/visual-checks/pictures/index.ts'
import { reachVerdict } from '../../services/visual-checks/verdict.ts'
import type { CheckedPage } from './page.ts'

/** `score`: null where the page could not be judged, and `outcome` says why. */
export interface Checked {
  ms: number
  outcome: string
  score: number | null
  findings: VisualFinding[]
}

/**
 * Checks a page as the service does: two viewports, judged, what is grave looked at twice,
 * thumbnails drawn. Milliseconds of all of it, the start of a browser included where none runs.
 */
export async function checkPage(browser: Browser, { url, expected }: CheckedPage): Promise<Checked> {
  const { title, html, css, language } = expected
  const start = performance.now()
  const look = {
    url,
    accountId: 'bench',
    blog: { title, html, css, language },
    viewports: VIEWPORT_NAMES,
    screenshotDetail: 'thumbs' as const,
    signal: new AbortController().signal
  }
  const { judged, sighting } = await reachVerdict(browser, look, expected)
  const findings = judged?.findings ?? []
  let thumbnails = 0
  for await (const { bytes } of drawPictures({ pictures: sighting.screenshots, findings, detail: 'thumbs' })) {
    thumbnails += Number(bytes.length > 0)
  }
  if (judged !== null && thumbnails !== VIEWPORT_NAMES.length) throw new Error(`${url} gave ${thumbnails} thumbnails.`)
  return { ms: performance.now() - start, outcome: sighting.outcome, score: judged?.overallScore ?? null, findings }
}

/**
 * The same, of a page that has to be seen: a check that gives up early must not flatter a measure.
 */
export async function checkSeen(browser: Browser, page: CheckedPage): Promise<Checked> {
  const checked = await checkPage(browser, page)
  if (checked.outcome !== 'inspected') throw new Error(`${page.id} was not seen: ${checked.outcome}`)
  return checked
}
