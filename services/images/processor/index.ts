import { problem } from '../../../errors.ts'
import { SCREENSHOT_KINDS, VIEWPORT_NAMES } from '../../../schemas/visual-check.ts'
import type { EncodedImage, EncodeOptions } from '../encode.ts'
import type { RenderedScreenshot, ScreenshotInput } from '../../visual-checks/screenshots/index.ts'
import { ACCEPTED_TYPES, type ImageInfo } from '../inspect.ts'
import type { CardText } from '../social/card.ts'
import {
  ImageProcessEndedError,
  ImageTaskTimeoutError,
  startImageProcess,
  type ImageProcess,
  type ImageReply
} from './child.ts'
import type { ImageTask, RenderedInBody } from './messages.ts'

/**
 * Reading the metadata of an image takes milliseconds, without EXIF data. Nothing interrupts a decoder that hangs.
 * Other tasks end themselves after a minute. Of a page, up to 46 screenshots are rendered.
 */
const TIMEOUTS_MS = { inspect: 30_000, screenshots: 180_000, other: 90_000 }
/** Starting the process takes a few hundred milliseconds, and it has some 80 MB. */
const IDLE_MS = 60_000

/** Native code that reads and writes images, in a process of its own. */
export interface ImageProcessor {
  /** See `inspectImage`. Throws `malformed_image`, also for an image that ends the process twice, and `busy`. */
  inspect: (image: Buffer) => Promise<ImageInfo>
  /** See `encode`. Throws as `inspect`. */
  encode: (image: Buffer, facts: ImageInfo, wanted: EncodeOptions) => Promise<EncodedImage>
  /** See `crop`. Throws as `inspect`. */
  crop: (image: Buffer, facts: Pick<ImageInfo, 'animated'>) => Promise<Buffer>
  /** See `drawCard`. */
  drawCard: (text: CardText) => Promise<Buffer>
  /** See `renderScreenshots`. Rejects with an ImageProcessEndedError if they end the process twice. */
  renderScreenshots: (input: ScreenshotInput) => Promise<RenderedScreenshot[]>
  /** The id of the current process; null if none runs. */
  pid: () => number | null
  /** Ends the process. Tasks in progress reject. */
  close: () => Promise<void>
}

export interface ImageProcessorOptions {
  /** The environment of the process: what programs need to find files and fonts. */
  environment: Readonly<Record<string, string>>
  /** Called when a process has ended by itself. */
  onCrash?: (reason: string, stderr: string) => void
  /** How long an idle process stays, in milliseconds. */
  idleMs?: number
  /** After which a task ends its process. */
  timeoutsMs?: typeof TIMEOUTS_MS
  /** The program of the process. */
  program?: string
}

/**
 * Decoders are native code that no timeout interrupts, and whose errors end their process. They run in one child
 * process, which starts with the first image and ends when it is idle. The tasks of a process that ended run once
 * more, each in a process of its own: only the image that is the cause fails.
 */
export function createImageProcessor({
  environment,
  onCrash = () => {},
  idleMs = IDLE_MS,
  timeoutsMs = TIMEOUTS_MS,
  program
}: ImageProcessorOptions): ImageProcessor {
  const running = new Set<ImageProcess>()
  let shared: ImageProcess | null = null
  let idleTimer: NodeJS.Timeout | undefined
  let isClosed = false

  function start(): ImageProcess {
    const started = startImageProcess({ environment, onCrash, ...(program === undefined ? {} : { program }) })
    running.add(started)
    started.exited.finally(() => running.delete(started))
    return started
  }

  function endWhenIdle(): void {
    clearTimeout(idleTimer)
    idleTimer = setTimeout(() => {
      if (shared?.pending() === 0) shared.end()
    }, idleMs).unref()
  }

  async function runAgain(task: ImageTask, images: Buffer[], timeoutMs: number): Promise<ImageReply> {
    const own = start()
    try {
      return await own.run(task, images, timeoutMs)
    } finally {
      own.end()
    }
  }

  async function run(task: ImageTask, images: Buffer[]): Promise<ImageReply> {
    const timeoutMs = timeoutsMs[task.type === 'inspect' || task.type === 'screenshots' ? task.type : 'other']
    if (isClosed) throw new Error('The image processor is closed.')
    if (shared?.isRunning() !== true) shared = start()
    try {
      return await shared.run(task, images, timeoutMs)
    } catch (error) {
      if (!(error instanceof ImageProcessEndedError) || isClosed) throw error
      return await runAgain(task, images, timeoutMs)
    } finally {
      endWhenIdle()
    }
  }

  /** Runs a task that decodes an image. */
  async function decode(task: ImageTask, image: Buffer): Promise<Done> {
    try {
      return toDone(await run(task, [image]))
    } catch (error) {
      const isCause = error instanceof ImageProcessEndedError || error instanceof ImageTaskTimeoutError
      if (!isCause || isClosed) throw error
      throw problem('malformed_image', 'The image cannot be decoded. Save it anew, or in another format.', {
        cause: error
      })
    }
  }

  return {
    inspect: async (image) => toInfo((await decode({ type: 'inspect' }, image)).info),
    async encode(image, facts, wanted) {
      const { info, bytes } = await decode({ type: 'encode', facts, wanted }, image)
      return { ...toSize(info), bytes }
    },
    crop: async (image, { animated }) => (await decode({ type: 'crop', animated }, image)).bytes,
    drawCard: async (text) => toDone(await run({ type: 'card', text }, [])).bytes,
    async renderScreenshots({ screenshots, ...input }) {
      const described = screenshots.map(({ png, ...rest }) => ({ ...rest, bytes: png.length }))
      const task: ImageTask = { type: 'screenshots', ...input, screenshots: described }
      return toScreenshots(
        toDone(
          await run(
            task,
            screenshots.map(({ png }) => png)
          )
        )
      )
    },
    pid: () => (shared?.isRunning() === true ? (shared.pid ?? null) : null),
    async close() {
      isClosed = true
      clearTimeout(idleTimer)
      const ending = [...running]
      for (const each of ending) each.end()
      await Promise.all(ending.map(({ exited }) => exited))
    }
  }
}

interface Done {
  info: unknown
  bytes: Buffer
}

/** Throws the error that the process has replied with. */
function toDone({ message, body }: ImageReply): Done {
  if (message.type === 'done') return { info: message.info, bytes: body }
  if (message.type === 'failed') throw new Error(`The image process failed: ${message.message}`)
  const headers = message.code === 'busy' ? { headers: { 'Retry-After': '1' } } : {}
  throw problem(message.code, message.message, headers)
}

/** Names become keys of files. */
const NAME = /^[\w-]{1,64}\.webp$/

function isScreenshot(value: unknown): value is RenderedInBody {
  const { name, kind, viewport, finding, bytes } = (value ?? {}) as Record<string, unknown>
  return (
    typeof name === 'string' &&
    NAME.test(name) &&
    SCREENSHOT_KINDS.some((known) => known === kind) &&
    VIEWPORT_NAMES.some((known) => known === viewport) &&
    (finding === null || finding === 0 || isCount(finding)) &&
    isCount(bytes)
  )
}

function toScreenshots({ info, bytes: body }: Done): RenderedScreenshot[] {
  let at = 0
  const rendered = (Array.isArray(info) ? (info as unknown[]) : []).map((screenshot) => {
    if (!isScreenshot(screenshot)) throw new Error('The image process sent an invalid screenshot.')
    const { name, kind, viewport, finding, bytes } = screenshot
    // A copy: a view would keep all of them in memory.
    return {
      ...toSize(screenshot),
      ...{ name, kind, viewport, finding },
      bytes: Buffer.from(body.subarray(at, (at += bytes)))
    }
  })
  if (at !== body.length) throw new Error('The image process sent invalid screenshots.')
  return rendered
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) > 0

function toSize(info: unknown): { width: number; height: number } {
  const { width, height } = (info ?? {}) as Record<string, unknown>
  if (!isCount(width) || !isCount(height)) throw new Error('The image process sent an invalid size.')
  return { width, height }
}

function toInfo(info: unknown): ImageInfo {
  const { type, animated, frames, transparent, palette } = (info ?? {}) as Record<string, unknown>
  const known = ACCEPTED_TYPES.find((accepted) => accepted === type)
  const flags = [animated, transparent, palette]
  if (known === undefined || !isCount(frames) || flags.some((flag) => typeof flag !== 'boolean')) {
    throw new Error('The image process sent invalid metadata.')
  }
  const [isAnimated, isTransparent, hasPalette] = flags as [boolean, boolean, boolean]
  return {
    ...{ type: known, ...toSize(info), frames },
    ...{ animated: isAnimated, transparent: isTransparent, palette: hasPalette }
  }
}
