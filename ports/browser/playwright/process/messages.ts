import type { InspectRequest, PageInspection, Screenshot } from '../../port.ts'
import type { Frame, FrameLimits } from '../../../../lib/frames.ts'

/** What the child needs of a request. */
export type ChildRequest = Omit<InspectRequest, 'accountId' | 'signal'>

export interface StartSettings {
  /** CHROMIUM_PATH. */
  chromiumPath: string | null
  /** OUTBOUND_ALLOW. */
  allow: string
  /** Whether Chromium must use its sandbox. */
  sandbox: boolean
  /** A folder for temporary files. The service deletes it when the process has ended. */
  folder: string
}

/** Messages to the browser process. `start` is the first one. */
export type ToChild =
  | ({ type: 'start' } & StartSettings)
  | { type: 'inspect'; id: number; request: ChildRequest }
  | { type: 'cancel'; id: number }
  | { type: 'ping'; id: number }

/** A result without the pixels, which are in the body of the frame in the same order. */
export type EncodedInspection = Omit<PageInspection, 'screenshots'> & {
  screenshots: (Omit<Screenshot, 'png'> & { bytes: number })[]
}

/** Messages from the browser process. The first one is `ready` or `startFailed`. */
export type FromChild =
  | { type: 'ready'; chromiumPid: number | null; chromium: string }
  | { type: 'startFailed'; reason: 'sandbox' | 'other'; message: string }
  | { type: 'inspected'; id: number; inspection: EncodedInspection }
  /** The page made its renderer crash, or its measurements are too large to be sent. */
  | { type: 'pageCrashed'; id: number; cause: 'crash' | 'size' }
  | { type: 'failed'; id: number; message: string }
  | { type: 'pong'; id: number }

/** The blog of a request has at most a few megabytes. */
export const TO_CHILD_LIMITS: FrameLimits = { maxHeaderBytes: 32 * 2 ** 20, maxBodyBytes: 0 }
/**
 * Snapshots of ordinary pages have 20 to 300 KB, and grow with the text of the blog, which has at
 * most 1 MB. Screenshots have 0.1 to 3 MB; those of noise up to 27 MB together.
 */
export const FROM_CHILD_LIMITS: FrameLimits = { maxHeaderBytes: 12 * 2 ** 20, maxBodyBytes: 32 * 2 ** 20 }

const TYPES: readonly string[] = ['ready', 'startFailed', 'inspected', 'pageCrashed', 'failed', 'pong']

/** The message of a frame. Null if it is none: the child runs untrusted pages. */
export function parseFromChild({ header }: Frame): FromChild | null {
  if (typeof header !== 'object' || header === null || !('type' in header)) return null
  if (typeof header.type !== 'string' || !TYPES.includes(header.type)) return null
  const isStart = header.type === 'ready' || header.type === 'startFailed'
  if (!isStart && !('id' in header && typeof header.id === 'number')) return null
  return header as FromChild
}

/** Splits a result into its message and the body of its frame. */
export function encodeInspection(inspection: PageInspection): { inspection: EncodedInspection; body: Buffer[] } {
  return {
    inspection: {
      ...inspection,
      screenshots: inspection.screenshots.map(({ png, ...rest }) => ({ ...rest, bytes: png.length }))
    },
    body: inspection.screenshots.map(({ png }) => png)
  }
}

/** Joins a result with the body of its frame. Null if the lengths do not match. */
export function decodeInspection({ screenshots, ...rest }: EncodedInspection, body: Buffer): PageInspection | null {
  let offset = 0
  const decoded: Screenshot[] = []
  for (const { bytes, ...screenshot } of screenshots) {
    if (!Number.isSafeInteger(bytes) || bytes < 0 || offset + bytes > body.length) return null
    // A copy: a view would keep the whole frame in memory.
    decoded.push({ ...screenshot, png: Buffer.from(body.subarray(offset, offset + bytes)) })
    offset += bytes
  }
  return offset === body.length ? { ...rest, screenshots: decoded } : null
}
