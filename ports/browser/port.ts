import type { ScreenshotDetail, ViewportName } from '../../schemas/visual-check.ts'
import type { ViewportSnapshot } from './port/page-snapshot.ts'

/** The blog that the page is expected to show. */
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
 * An unprocessed PNG. `scale`: pixels of the image per CSS pixel. A screenshot of kind `page` shows
 * at most the first three screens and 8,000 pixels. One of kind `reference` shows how a block of text
 * that looks different should look, black on white.
 */
export interface Screenshot {
  viewport: ViewportName
  kind: 'viewport' | 'page' | 'reference'
  png: Buffer
  width: number
  height: number
  scale: number
  /** Of a reference: the index of the block in the blog's HTML. */
  block?: number
}

/** The result of an inspection. An `inspected` page has one snapshot per viewport. */
export type PageInspection = {
  /**
   * `blocked`: the address, or one that it redirects to, is not allowed. `unreachable`: no server
   * answered. `timeout`: no complete result within the time limit. `redirecting`: too many redirects.
   * `reloading`: the page loads itself again within four seconds, and at least three times within
   * fourteen, or never stops navigating. `crashed`: the page made two browsers crash, the second of
   * which served nothing else.
   */
  outcome: 'inspected' | 'blocked' | 'unreachable' | 'timeout' | 'redirecting' | 'reloading' | 'crashed'
  /** One sentence. Null if the page was inspected. */
  reason: string | null
  finalUrl: string | null
  snapshots: ViewportSnapshot[]
  screenshots: Screenshot[]
  /** The version of Chromium. */
  chromium: string
  /** Scripts of the blog's text, by Unicode name such as `Arabic`, that no installed font covers. */
  missingFonts: string[]
  /** Milliseconds of each step, by viewport. */
  timings: Record<string, Record<string, number>>
}

/**
 * Whether Chromium runs in its sandbox. `unavailable`: it must, but cannot. Null: not known yet.
 */
export type SandboxState = 'on' | 'off' | 'unavailable' | null

/** Where the browser reports starts and crashes. Suits a Pino logger. */
export interface BrowserLog {
  info: (values: object, message: string) => void
  warn: (values: object, message: string) => void
}

/**
 * A headless browser whose network traffic passes the egress proxy. Blocked addresses cannot be
 * reached by redirects, scripts or sockets.
 */
export interface Browser {
  /** Rejects with `unavailable` if no browser starts, and with the reason of `signal`. */
  inspectPage: (request: InspectRequest) => Promise<PageInspection>
  /** Rejects with `unavailable` if it is known that no browser can start in this process. */
  assertAvailable: () => Promise<void>
  /** Starts a browser. Rejects with `unavailable` and the cause if none starts, and with the reason of `signal`. */
  start: (options: { accountId: string; signal: AbortSignal }) => Promise<void>
  sandbox: () => SandboxState
  close: () => Promise<void>
}
