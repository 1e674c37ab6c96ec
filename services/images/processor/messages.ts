import type { FrameLimits } from '../../../lib/frames.ts'
import type { Screenshot } from '../../../ports/browser/port.ts'
import { MAX_OUTPUT_PIXELS, type EncodeOptions } from '../encode.ts'
import type { ImageInfo } from '../inspect.ts'
import type { CardText } from '../social/card.ts'
import type { RenderedScreenshot, ScreenshotInput } from '../../visual-checks/screenshots/index.ts'

/** The file descriptor of the channel, in the image process. */
export const CHANNEL_FD = 3

/** Screenshots whose images are in the body of the message, one after the other. */
export type ScreenshotsTask = Omit<ScreenshotInput, 'screenshots'> & {
  screenshots: (Omit<Screenshot, 'png'> & { bytes: number })[]
}

/** A rendered screenshot whose image is in the body of the message. */
export type RenderedInBody = Omit<RenderedScreenshot, 'bytes'> & { bytes: number }

/** What the image process does with the image in the body of the message. `card` has none. */
export type ImageTask =
  | { type: 'inspect' }
  | { type: 'encode'; facts: ImageInfo; wanted: EncodeOptions }
  | { type: 'crop'; animated: boolean }
  | { type: 'card'; text: CardText }
  | ({ type: 'screenshots' } & ScreenshotsTask)

export interface ToImageProcess {
  id: number
  task: ImageTask
}

/**
 * `done`: the encoded image is in the body. `rejected`: an error of the API, about the image. `failed`: another
 * error.
 */
export type FromImageProcess =
  | { type: 'done'; id: number; info: unknown }
  | { type: 'rejected'; id: number; code: 'malformed_image' | 'busy'; message: string }
  | { type: 'failed'; id: number; message: string }

/** The findings of a page have at most a few megabytes. */
const MAX_HEADER_BYTES = 16 * 2 ** 20
/** An image has at most 20 MB, and the screenshots of a page have 32 MB. */
const MAX_INPUT_BYTES = 40 * 2 ** 20
/** Of an image that no encoder makes smaller: 4 bytes for each pixel, and as much again for one that becomes larger. */
const MAX_BYTES_PER_PIXEL = 8

export const TO_IMAGE_PROCESS: FrameLimits = { maxHeaderBytes: MAX_HEADER_BYTES, maxBodyBytes: MAX_INPUT_BYTES }
export const FROM_IMAGE_PROCESS: FrameLimits = {
  maxHeaderBytes: MAX_HEADER_BYTES,
  maxBodyBytes: Math.max(...Object.values(MAX_OUTPUT_PIXELS)) * MAX_BYTES_PER_PIXEL
}

/** The message of a frame. Null if it is none: the process runs native code on untrusted input. */
export function parseFromImageProcess(header: unknown): FromImageProcess | null {
  if (typeof header !== 'object' || header === null) return null
  const { type, id, code, message } = header as Record<string, unknown>
  if (!Number.isSafeInteger(id)) return null
  if (type === 'done') return header as FromImageProcess
  if (typeof message !== 'string') return null
  const isKnown = type === 'failed' || (type === 'rejected' && (code === 'malformed_image' || code === 'busy'))
  return isKnown ? (header as FromImageProcess) : null
}
