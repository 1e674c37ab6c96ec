import type { ScreenshotDetail, ViewportName } from '../../schemas/visual-check.ts'
import type { ViewportSnapshot } from './port/page-snapshot.ts'

/** What of a blog should be seen in the page. */
export interface ExpectedBlog {
  title: string
  html: string
  css: string
  /** BCP 47. */
  language: string
}

export interface InspectRequest {
  url: string
  /** A browser process serves one account at a time. */
  accountId: string
  blog: ExpectedBlog
  viewports: readonly ViewportName[]
  screenshotDetail: ScreenshotDetail
  signal: AbortSignal
}

/**
 * A picture as it was taken: PNG. `scale`: pixels of the picture by CSS pixels. Of a `page` no more
 * than the first three screens and 8,000 pixels.
 */
export interface Screenshot {
  viewport: ViewportName
  kind: 'viewport' | 'page'
  png: Buffer
  width: number
  height: number
  scale: number
}

/**
 * What was seen. `blocked`: the address, or one it led to, may not be reached; `unreachable`:
 * nothing answered; `timeout`: nothing that can be judged came within the time;
 * `crashed`: the browser ended twice. With `seen` there is one of `facts` a viewport.
 */
export type PageInspection = {
  outcome: 'inspected' | 'blocked' | 'unreachable' | 'timeout' | 'crashed'
  /** One sentence where nothing was seen. */
  reason: string | null
  finalUrl: string | null
  snapshots: ViewportSnapshot[]
  screenshots: Screenshot[]
  chromium: string
  /**
   * Scripts of the blog's text (Unicode names, as in `Arabic`) that no font of this machine can
   * draw.
   */
  missingFonts: string[]
  /** Milliseconds of each step, by viewport. */
  timings: Record<string, Record<string, number>>
}

/**
 * A headless browser whose only way out is guarded: what the outbound door refuses is not reached,
 * neither by a redirect, nor by a script, nor by a socket.
 */
export interface Browser {
  /**
   * Looks at a page. Rejects with `unavailable` where no browser can be started, and with the
   * signal's reason.
   */
  inspectPage: (inspectPage: InspectRequest) => Promise<PageInspection>
  close: () => Promise<void>
}
