import { writeFileSync } from 'node:fs'
import { Socket } from 'node:net'
import { setPriority } from 'node:os'
import { ApiError } from '../../../errors.ts'
import { type Channel, openChannel } from '../../../lib/channel.ts'
import { backgroundNiceness } from '../../../lib/priority.ts'
import { crop, encode } from '../encode.ts'
import {
  renderScreenshots,
  type RenderedScreenshot,
  type ScreenshotInput
} from '../../visual-checks/screenshots/index.ts'
import { clearExif } from '../exif.ts'
import { inspectImage } from '../inspect.ts'
import { withoutFurtherImages } from '../jpeg-scans.ts'
import { withoutPngTexts } from '../png-texts.ts'
import { clearProfiles } from '../profiles.ts'
import { drawCard } from '../social/card.ts'
import {
  CHANNEL_FD,
  FROM_IMAGE_PROCESS,
  TO_IMAGE_PROCESS,
  type FromImageProcess,
  type ImageTask,
  type RenderedInBody,
  type ScreenshotsTask,
  type ToImageProcess
} from './messages.ts'

/*
 * The program of an image process: all native code that reads images. It serves the requests of the
 * service until the service closes the channel or ends.
 */

/** Of 1000, on top of the share of the memory: when memory is short, Linux ends this process before the service. */
const OOM_SCORE = 500

const channel: Channel = openChannel(new Socket({ fd: CHANNEL_FD, readable: true, writable: true }), {
  limits: TO_IMAGE_PROCESS,
  sendLimits: FROM_IMAGE_PROCESS,
  onFrame: ({ header, body }) => {
    const { id, task } = header as ToImageProcess
    run(task, body).then(
      ({ info, images }) => channel.send({ type: 'done', id, info } satisfies FromImageProcess, images),
      (error: Error) => channel.send(toReply(id, error))
    )
  },
  onEnd: () => process.exit(0)
})

async function run(task: ImageTask, body: Buffer): Promise<{ info: unknown; images: Buffer[] }> {
  switch (task.type) {
    case 'inspect':
      return { info: await inspectImage(withoutMetadata(body)), images: [] }
    case 'encode': {
      const { bytes, ...info } = await encode(withoutMetadata(body), task.facts, task.wanted)
      return { info, images: [bytes] }
    }
    case 'crop':
      return { info: null, images: [await crop(withoutMetadata(body), task)] }
    case 'card':
      return { info: null, images: [await drawCard(task.text)] }
    case 'screenshots': {
      const rendered: RenderedScreenshot[] = []
      for await (const screenshot of renderScreenshots(readScreenshots(task, body))) rendered.push(screenshot)
      const info = rendered.map(({ bytes, ...rest }): RenderedInBody => ({ ...rest, bytes: bytes.length }))
      return { info, images: rendered.map(({ bytes }) => bytes) }
    }
  }
}

/** An image without what decoders read of it before any limit, and what takes them long. May change `bytes`. */
function withoutMetadata(bytes: Buffer): Buffer {
  const image = withoutFurtherImages(withoutPngTexts(bytes))
  clearExif(image)
  clearProfiles(image)
  return image
}

function readScreenshots({ screenshots, ...task }: ScreenshotsTask, body: Buffer): ScreenshotInput {
  let at = 0
  return {
    ...task,
    screenshots: screenshots.map(({ bytes, ...rest }) => ({ ...rest, png: body.subarray(at, (at += bytes)) }))
  }
}

function toReply(id: number, error: Error): FromImageProcess {
  const { message } = error
  const code = error instanceof ApiError ? error.code : null
  return code === 'malformed_image' || code === 'busy'
    ? { type: 'rejected', id, code, message }
    : { type: 'failed', id, message: message.slice(0, 1_000) }
}

// Before the first image: the threads of the decoders inherit it.
setPriority(backgroundNiceness())
try {
  writeFileSync('/proc/self/oom_score_adj', String(OOM_SCORE))
} catch {
  // Another system than Linux, or a container without /proc: the process is chosen like any other.
}
