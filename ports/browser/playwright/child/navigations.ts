import type { CDPSession, Page } from 'playwright'

/** A page that navigates more often stays where it is. Sites redirect by scripts a few times at most. */
const MAX_NAVIGATIONS = 6
/** A page that loads itself again more often never stops. Sites reload once, to set a cookie. */
const MAX_RELOADS = 2

export interface Navigations {
  /** How many documents the page has requested, without redirects. */
  count: () => number
  /** How often the page has loaded itself again. */
  reloads: () => number
  /** Whether the page has navigated so often that readers cannot use it. */
  isEndless: () => boolean
  /** Aborts all further navigations. The current document stays. */
  stop: () => Promise<void>
}

/** Watches the navigations of a page, which may reload itself forever, and stops them after a few. */
export function watchNavigations(page: Page, cdp: CDPSession): Navigations {
  let count = 0
  const documents = new Map<string, number>()
  let stopped: Promise<void> | null = null
  const stop = (): Promise<void> => (stopped ??= abortNavigations(cdp))
  page.on('request', (request) => {
    if (!request.isNavigationRequest() || request.frame() !== page.mainFrame()) return
    if (request.redirectedFrom() !== null) return
    count++
    const document = request.url().split(/[?#]/, 1)[0]!
    documents.set(document, (documents.get(document) ?? 0) + 1)
    // Fails if the page is being closed.
    if (count > MAX_NAVIGATIONS) stop().catch(() => {})
  })
  const reloads = () => Math.max(0, ...documents.values()) - 1
  const isEndless = () => count > MAX_NAVIGATIONS || reloads() > MAX_RELOADS
  return { count: () => count, reloads, isEndless, stop }
}

async function abortNavigations(cdp: CDPSession): Promise<void> {
  const { frameTree } = await cdp.send('Page.getFrameTree')
  cdp.on('Fetch.requestPaused', ({ requestId, frameId }) => {
    const decided =
      frameId === frameTree.frame.id
        ? cdp.send('Fetch.failRequest', { requestId, errorReason: 'Aborted' })
        : cdp.send('Fetch.continueRequest', { requestId })
    decided.catch(() => {}) // The frame or the page may be gone.
  })
  await cdp.send('Fetch.enable', { patterns: [{ resourceType: 'Document', requestStage: 'Request' }] })
}

const NAVIGATION_MESSAGES = [
  'context was destroyed',
  'Cannot find context',
  'Cannot find default execution context',
  'navigated or closed',
  'No frame for given id',
  'No frame with given id',
  'Frame was detached'
]

/** Whether an error means that the document has changed during a measurement. */
export const isNavigationError = (error: unknown): boolean =>
  error instanceof Error && NAVIGATION_MESSAGES.some((part) => error.message.includes(part))
