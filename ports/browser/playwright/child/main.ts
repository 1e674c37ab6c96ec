import { rmSync } from 'node:fs'
import { Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { type Channel, openChannel } from '../../../../lib/channel.ts'
import { FrameError } from '../../../../lib/frames.ts'
import {
  encodeInspection,
  FROM_CHILD_LIMITS,
  type FromChild,
  type StartSettings,
  TO_CHILD_LIMITS,
  type ToChild
} from '../process/messages.ts'
import { openEgressProxy } from './egress-proxy/index.ts'
import { findChromium } from './find-chromium.ts'
import { createPageInspector, type InspectPage } from './inspect-page.ts'
import { type LaunchedChromium, launchChromium, SandboxError } from './launch.ts'
import { RendererCrashedError } from './inspect-viewport.ts'
import { PageTooLargeError } from './isolated-world.ts'

/*
 * The program of a browser process. It contains everything that reads what pages send, and serves
 * the requests of the service until the service closes the channel or ends.
 */

/** The file descriptor of the channel: process/browser-process.ts. */
const CHANNEL_FD = 3
/** A crashed Chromium closes its pages before it disconnects. */
const CRASH_DELAY_MS = 300

let chromium: LaunchedChromium | null = null
let folder: string | null = null
let inspectPage: InspectPage | null = null
const running = new Map<number, AbortController>()

/** Ends Chromium and this process. */
function exit(code: number): never {
  chromium?.killNow()
  if (folder !== null) rmSync(folder, { recursive: true, force: true, maxRetries: 3, retryDelay: 50 })
  process.exit(code)
}

const channel: Channel = openChannel(new Socket({ fd: CHANNEL_FD, readable: true, writable: true }), {
  limits: TO_CHILD_LIMITS,
  sendLimits: FROM_CHILD_LIMITS,
  onFrame: ({ header }) => receive(header as ToChild),
  onEnd: () => exit(0)
})

const send = (message: FromChild, body?: readonly Buffer[]): void => channel.send(message, body)

function receive(message: ToChild): void {
  if (message.type === 'start') {
    start(message).catch(reportStartFailure)
  } else if (message.type === 'cancel') {
    running.get(message.id)?.abort(new Error('The inspection was canceled.'))
  } else if (message.type === 'ping') {
    // Unanswered if Chromium hangs.
    chromium?.ping().then(
      () => send({ type: 'pong', id: message.id }),
      () => {}
    )
  } else {
    inspect(message).catch((error: Error) => send({ type: 'failed', id: message.id, message: summarize(error) }))
  }
}

async function start({ chromiumPath, allow, sandbox, folder: workFolder }: StartSettings): Promise<void> {
  // Before the folder for temporary files changes: @sparticuz/chromium unpacks into it.
  const { executablePath } = await findChromium(chromiumPath === null ? {} : { path: chromiumPath })
  folder = workFolder
  process.env.TMPDIR = workFolder
  const egressProxy = await openEgressProxy({ allow })
  chromium = await launchChromium({ executablePath, proxyUrl: egressProxy.url, sandbox })
  chromium.browser.once('disconnected', () => exit(1))
  inspectPage = createPageInspector(chromium.browser, egressProxy)
  send({ type: 'ready', chromiumPid: chromium.pid, chromium: chromium.browser.version() })
}

function reportStartFailure(error: Error): void {
  send({
    type: 'startFailed',
    reason: error instanceof SandboxError ? 'sandbox' : 'other',
    message: summarize(error)
  })
}

async function inspect({ id, request }: Extract<ToChild, { type: 'inspect' }>): Promise<void> {
  const controller = new AbortController()
  running.set(id, controller)
  try {
    const { inspection, body } = encodeInspection(await inspectPage!(request, controller.signal))
    send({ type: 'inspected', id, inspection }, body)
  } catch (error) {
    // If Chromium has ended, this process ends now.
    await delay(CRASH_DELAY_MS)
    if (error instanceof RendererCrashedError) send({ type: 'pageCrashed', id, cause: 'crash' })
    else if (error instanceof FrameError || error instanceof PageTooLargeError) {
      send({ type: 'pageCrashed', id, cause: 'size' })
    } else throw error
  } finally {
    running.delete(id)
  }
}

/** The start of an error, for the log. Pages determine parts of it. */
const summarize = (error: Error): string => String(error.stack ?? error.message).slice(0, 2_000)
