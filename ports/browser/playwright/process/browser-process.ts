import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { setPriority, tmpdir } from 'node:os'
import path from 'node:path'
import type { Duplex } from 'node:stream'
import { compileCacheEnvironment } from '../../../../lib/compile-cache.ts'
import { backgroundNiceness } from '../../../../lib/priority.ts'
import type { PageInspection } from '../../port.ts'
import type { PooledProcess } from '../pool/browser-instance.ts'
import { createMemoryGroup, type MemoryGroup } from './cgroup.ts'
import { openChannel, type Channel } from '../../../../lib/channel.ts'
import { FrameError } from '../../../../lib/frames.ts'
import {
  type ChildRequest,
  decodeInspection,
  FROM_CHILD_LIMITS,
  type FromChild,
  parseFromChild,
  type StartSettings,
  TO_CHILD_LIMITS,
  type ToChild
} from './messages.ts'
import { createMemoryMeter, findDescendants, type MemoryMeter } from './process-tree.ts'
import { createProcessorWatch, type ProcessorWatch } from './processor-watch.ts'

const PROGRAM = path.resolve(import.meta.dirname, '../child/main.ts')
/** Of the JavaScript heap of the child, in megabytes. */
const MAX_HEAP_MB = 512
const START_TIMEOUT_MS = 40_000
const MEMORY_INTERVAL_MS = 250
const PROCESSOR_INTERVAL_MS = 100
/** The end of the child's stderr, for the log. */
const MAX_STDERR_LENGTH = 2_000
/** The file descriptor of the channel, in the child. */
export const CHANNEL_FD = 3

/**
 * Why a browser process has ended. `closed`: it was no longer needed. `unresponsive`: it did not
 * respond. `memory`: it used too much. `threads`: too many of them ran. `protocol`: it sent too much,
 * or something else than messages. `crash`: for another reason.
 */
export type EndCause = 'closed' | 'unresponsive' | 'memory' | 'threads' | 'protocol' | 'crash'

export interface BrowserProcessOptions extends Omit<StartSettings, 'folder'> {
  /** The maximum memory of the process and its Chromium in bytes. */
  maxBytes: number
  /** The environment of the process. */
  environment: Readonly<Record<string, string>>
  /** The program to start. Default: that of the browser. */
  program?: string
  memoryIntervalMs?: number
  processorIntervalMs?: number
}

export interface BrowserProcess extends PooledProcess {
  pid: number
  /** Null if it is unknown. */
  chromiumPid: number | null
  /** The version of Chromium. */
  chromium: string
  sandbox: boolean
  /** How memory is limited: by the kernel, by measurements every 250 ms, or not at all. */
  memoryControl: 'cgroup' | 'watch' | 'none'
  /**
   * Inspects a page. Rejects with a PageCrashedError if the page has crashed its renderer, and with
   * the reason of `signal`. Does not settle after the end of the process.
   */
  inspect: (request: ChildRequest, signal: AbortSignal) => Promise<PageInspection>
  /** Why it has ended, when its processes have exited and its files are deleted. */
  ended: Promise<EndCause>
  /** What the process has written to stderr last. */
  stderr: () => string
}

/** The page ended its renderer, or is too large to be measured. The browser goes on. */
export class PageCrashedError extends Error {
  override readonly name = 'PageCrashedError'
  readonly reason: 'crash' | 'size'

  constructor(reason: 'crash' | 'size') {
    super('The page crashed.')
    this.reason = reason
  }
}

/** The browser did not start. `sandbox`: because its sandbox does not work here. */
export class BrowserStartError extends Error {
  override readonly name = 'BrowserStartError'
  readonly reason: 'sandbox' | 'other'

  constructor(reason: 'sandbox' | 'other', message: string) {
    super(message)
    this.reason = reason
  }
}

/**
 * Starts a process with the driver, the egress proxy and one Chromium, so that no page can end or
 * block the service. It is the leader of its own process group, has only the given environment (and
 * the folder of compiled modules), and ends with this process. Rejects with a BrowserStartError.
 */
export async function startBrowserProcess({
  maxBytes,
  environment,
  program = PROGRAM,
  memoryIntervalMs = MEMORY_INTERVAL_MS,
  processorIntervalMs = PROCESSOR_INTERVAL_MS,
  ...settings
}: BrowserProcessOptions): Promise<BrowserProcess> {
  const folder = await mkdtemp(path.join(tmpdir(), 'browser-process-'))
  const group = await createMemoryGroup({ maxBytes })
  const niceness = backgroundNiceness()
  const child = spawn(process.execPath, [`--max-old-space-size=${MAX_HEAP_MB}`, program], {
    cwd: path.parse(program).root,
    detached: true,
    env: { ...environment, ...compileCacheEnvironment() },
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
    windowsHide: true
  })
  // Inherited by Chromium.
  if (child.pid !== undefined) setPriority(child.pid, niceness)
  const run = new ChildRun(child, { niceness, group, folder, maxBytes, memoryIntervalMs, processorIntervalMs })
  return await run.start({ ...settings, folder })
}

interface RunOptions {
  niceness: number
  group: MemoryGroup | null
  folder: string
  maxBytes: number
  memoryIntervalMs: number
  processorIntervalMs: number
}

interface Reply {
  message: FromChild
  body: Buffer
}
type Ready = Extract<FromChild, { type: 'ready' }>

/** One run of the child, from its start until its processes have ended and its files are deleted. */
class ChildRun {
  readonly #child: ChildProcess
  readonly #options: RunOptions
  readonly #channel: Channel
  readonly #memory: MemoryMeter
  readonly #processor: ProcessorWatch
  readonly #started = Promise.withResolvers<Ready>()
  readonly #exited = Promise.withResolvers<void>()
  readonly #ended = Promise.withResolvers<EndCause>()
  readonly #pending = new Map<number, (reply: Reply) => void>()
  #chromiumPid: number | null = null
  #memoryControl: BrowserProcess['memoryControl'] = 'none'
  #endCause: EndCause | null = null
  #inspections = 0
  #memoryTimer: NodeJS.Timeout | undefined
  #processorTimer: NodeJS.Timeout | undefined
  #lastId = 0
  #stderr = ''

  constructor(child: ChildProcess, options: RunOptions) {
    this.#child = child
    this.#options = options
    this.#memory = createMemoryMeter(child.pid ?? 0)
    this.#processor = createProcessorWatch({ pid: child.pid ?? 0, niceness: options.niceness })
    this.#started.promise.catch(() => {}) // Also awaited by `start`.
    child.once('error', (error) => {
      if (child.pid === undefined) this.#exited.resolve()
      this.#end('crash', error.message)
    })
    child.once('exit', (code, signal) => {
      this.#exited.resolve()
      this.#end('crash', `It ended with ${signal ?? `exit code ${code}`}.`)
    })
    child.stderr!.setEncoding('utf8').on('data', (chunk: string) => {
      this.#stderr = (this.#stderr + chunk).slice(-MAX_STDERR_LENGTH)
    })
    this.#channel = openChannel(child.stdio[CHANNEL_FD] as Duplex, {
      limits: FROM_CHILD_LIMITS,
      sendLimits: TO_CHILD_LIMITS,
      onFrame: (frame) => this.#receive(parseFromChild(frame), frame.body),
      // Another end of the stream is that of the process, which `exit` reports with its code.
      onEnd: (error) => {
        if (error instanceof FrameError) this.#end('protocol', error.message)
      }
    })
  }

  async start(settings: StartSettings): Promise<BrowserProcess> {
    const timer = setTimeout(() => this.#end('crash', 'It did not start in time.'), START_TIMEOUT_MS)
    try {
      await this.#limitMemory()
      this.#send({ type: 'start', ...settings })
      const { chromium } = await this.#started.promise
      return this.#toProcess(chromium, settings.sandbox)
    } catch (error) {
      await this.kill()
      throw error
    } finally {
      clearTimeout(timer)
    }
  }

  /** Ends the process and its Chromium. Resolves when they have exited and their files are deleted. */
  async kill(cause: EndCause = 'closed'): Promise<void> {
    this.#end(cause, 'It was closed.')
    await this.#ended.promise
  }

  #toProcess(chromium: string, sandbox: boolean): BrowserProcess {
    return {
      pid: this.#child.pid!,
      chromiumPid: this.#chromiumPid,
      chromium,
      sandbox,
      memoryControl: this.#memoryControl,
      isRunning: () => this.#endCause === null,
      ended: this.#ended.promise,
      stderr: () => this.#stderr,
      memoryBytes: async () => await this.#memory.measure(),
      isSlowed: () => this.#processor.isSlowed(),
      ping: async () => {
        await this.#request({ type: 'ping', id: ++this.#lastId })
      },
      inspect: async (request, signal) => await this.#inspect(request, signal),
      kill: async (cause) => await this.kill(cause)
    }
  }

  /** Before Chromium starts, so that its processes start in the group. */
  async #limitMemory(): Promise<void> {
    const { group } = this.#options
    if (group !== null && this.#child.pid !== undefined && (await group.add(this.#child.pid))) {
      this.#memoryControl = 'cgroup'
    } else if ((await this.#memory.measure()) > 0) this.#memoryControl = 'watch'
  }

  async #inspect(request: ChildRequest, signal: AbortSignal): Promise<PageInspection> {
    signal.throwIfAborted()
    const id = ++this.#lastId
    const cancel = (): void => this.#send({ type: 'cancel', id })
    signal.addEventListener('abort', cancel, { once: true })
    this.#inspections++
    this.#watchMemory()
    this.#watchProcessor()
    try {
      const { message, body } = await this.#request({ type: 'inspect', id, request })
      if (message.type === 'pageCrashed') throw new PageCrashedError(message.cause)
      if (message.type === 'failed') {
        signal.throwIfAborted()
        throw new Error(`The inspection failed: ${message.message}`)
      }
      const inspection = message.type === 'inspected' ? decodeInspection(message.inspection, body) : null
      if (inspection !== null) return inspection
      this.#end('protocol', 'It sent an invalid result.')
      return await new Promise(() => {})
    } finally {
      this.#inspections--
      signal.removeEventListener('abort', cancel)
    }
  }

  async #request(message: Extract<ToChild, { id: number }>): Promise<Reply> {
    const { promise, resolve } = Promise.withResolvers<Reply>()
    this.#pending.set(message.id, resolve)
    this.#send(message)
    return await promise
  }

  #send(message: ToChild): void {
    this.#channel.send(message)
  }

  #receive(message: FromChild | null, body: Buffer): void {
    if (message === null) return this.#end('protocol', 'It sent an unknown message.')
    if (message.type === 'ready') {
      this.#chromiumPid = message.chromiumPid
      return this.#started.resolve(message)
    }
    if (message.type === 'startFailed') {
      return this.#started.reject(new BrowserStartError(message.reason, String(message.message)))
    }
    const resolve = this.#pending.get(message.id)
    this.#pending.delete(message.id)
    resolve?.({ message, body })
  }

  /** Measures the memory while pages are inspected. */
  #watchMemory(): void {
    if (this.#memoryControl !== 'watch' || this.#memoryTimer !== undefined) return
    const measure = async (): Promise<void> => {
      const bytes = await this.#memory.measure()
      this.#memoryTimer = undefined
      if (bytes > this.#options.maxBytes) this.#end('memory', `It used ${Math.round(bytes / 1e6)} MB of memory.`)
      if (this.#inspections > 0 && this.#endCause === null) this.#watchMemory()
    }
    this.#memoryTimer = setTimeout(measure, this.#options.memoryIntervalMs).unref()
  }

  /** Measures the use of the processor during inspections, at irregular times: pages may pause at regular ones. */
  #watchProcessor(): void {
    const delayMs = this.#options.processorIntervalMs * (0.5 + Math.random())
    this.#processorTimer ??= setTimeout(() => {
      this.#processorTimer = undefined
      if (!this.#processor.measure()) this.#end('threads', 'Too many of its threads ran.')
      if (this.#inspections > 0 && this.#endCause === null) this.#watchProcessor()
    }, delayMs).unref()
  }

  #end(cause: EndCause, reason: string): void {
    if (this.#endCause !== null) return
    this.#endCause = cause
    clearTimeout(this.#memoryTimer)
    clearTimeout(this.#processorTimer)
    const output = this.#stderr === '' ? '' : ` Its last output: ${this.#stderr}`
    this.#started.reject(new BrowserStartError('other', `The browser process did not start. ${reason}${output}`))
    this.#killProcesses()
    this.#channel.close()
    this.#cleanUp(cause).then(this.#ended.resolve, this.#ended.reject)
  }

  /** Chromium has its own process group. Its processes may outlive the child, so all are killed. */
  #killProcesses(): void {
    const { pid } = this.#child
    if (pid === undefined) return
    for (const descendant of findDescendants(pid)) sendKill(descendant)
    for (const leader of [pid, this.#chromiumPid]) {
      if (leader !== null) sendKill(process.platform === 'win32' ? leader : -leader)
    }
  }

  async #cleanUp(cause: EndCause): Promise<EndCause> {
    const { group, folder } = this.#options
    await group?.kill()
    await this.#exited.promise
    const wasOutOfMemory = (await group?.wasOutOfMemory()) === true
    await group?.remove()
    // Chromium may still write while it is being killed.
    await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 })
    return wasOutOfMemory && cause === 'crash' ? 'memory' : cause
  }
}

function sendKill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended already.
  }
}
