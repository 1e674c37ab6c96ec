import { type ChildProcess, spawn } from 'node:child_process'
import type { Socket } from 'node:net'
import path from 'node:path'
import { problem } from '../../../errors.ts'
import { openChannel } from '../../../lib/channel.ts'
import { compileCacheEnvironment } from '../../../lib/compile-cache.ts'
import { FrameError, type Frame } from '../../../lib/frames.ts'
import {
  CHANNEL_FD,
  FROM_IMAGE_PROCESS,
  parseFromImageProcess,
  TO_IMAGE_PROCESS,
  type FromImageProcess,
  type ImageTask,
  type ToImageProcess
} from './messages.ts'

const PROGRAM = path.resolve(import.meta.dirname, 'main.ts')
/** Of the JavaScript heap. Images are outside of it. */
const MAX_HEAP_MB = 256
/** The end of stderr, for the log. */
const MAX_STDERR_LENGTH = 2_000

/** The image process ended before the task did. Another task may be the cause. */
export class ImageProcessEndedError extends Error {
  override readonly name = 'ImageProcessEndedError'
}

/** The task took too long, and the image process was ended. */
export class ImageTaskTimeoutError extends Error {
  override readonly name = 'ImageTaskTimeoutError'
}

export interface ImageReply {
  message: FromImageProcess
  body: Buffer
}

export interface ImageProcessOptions {
  /** The environment of the process. */
  environment: Readonly<Record<string, string>>
  /** Called when it has ended by itself, with the reason and the end of its stderr. */
  onCrash: (reason: string, stderr: string) => void
  /** The program to start. Default: that of the image process. */
  program?: string
}

/** A child process that decodes and encodes images. */
export interface ImageProcess {
  pid: number | undefined
  /** Whether it can take tasks. */
  isRunning: () => boolean
  /** Tasks in progress. */
  pending: () => number
  /** Rejects with an ImageProcessEndedError, and with an ImageTaskTimeoutError after `timeoutMs`. */
  run: (task: ImageTask, images: Buffer[], timeoutMs: number) => Promise<ImageReply>
  /** Ends it at once. Tasks in progress reject. */
  end: () => void
  /** Resolves when it has exited. */
  exited: Promise<void>
}

interface Pending {
  resolve: (reply: ImageReply) => void
  reject: (error: Error) => void
}

/**
 * Starts an image process, so that no image can end or block the service. It has only the given environment, and ends
 * with this process. While it has no tasks, it does not keep this process running. Throws `busy` if the system has no
 * room for a process or its pipes.
 */
export function startImageProcess({ environment, onCrash, program = PROGRAM }: ImageProcessOptions): ImageProcess {
  const child = spawnProgram(program, environment)
  const socket = child.stdio[CHANNEL_FD] as Socket
  const pending = new Map<number, Pending>()
  const exited = Promise.withResolvers<void>()
  let isRunning = true
  let lastId = 0
  let stderr = ''

  function setReferenced(isReferenced: boolean): void {
    const change = isReferenced ? 'ref' : 'unref'
    child[change]()
    socket[change]()
    ;(child.stderr as Socket)[change]()
  }

  /** `reason`: null if it is ended on purpose. */
  function end(reason: string | null): void {
    if (!isRunning) return
    isRunning = false
    channel.close()
    // Its exit follows at once, and may be awaited.
    child.ref()
    child.kill('SIGKILL')
    for (const { reject } of pending.values()) reject(new ImageProcessEndedError('The image process ended.'))
    pending.clear()
    if (reason !== null) onCrash(reason, stderr)
  }

  function receive({ header, body }: Frame): void {
    const message = parseFromImageProcess(header)
    const task = message === null ? undefined : pending.get(message.id)
    if (message === null || task === undefined) return end('It sent an invalid message.')
    pending.delete(message.id)
    task.resolve({ message, body })
  }

  const channel = openChannel(socket, {
    limits: FROM_IMAGE_PROCESS,
    sendLimits: TO_IMAGE_PROCESS,
    onFrame: receive,
    // Another end of the stream is that of the process, which `exit` reports with its code.
    onEnd: (error) => {
      if (error instanceof FrameError) end(error.message)
    }
  })
  child.once('error', (error) => {
    if (child.pid === undefined) exited.resolve()
    end(error.message)
  })
  child.once('exit', (code, signal) => {
    exited.resolve()
    end(`It ended with ${signal ?? `exit code ${code}`}.`)
  })
  child.stderr!.setEncoding('utf8').on('data', (chunk: string) => {
    stderr = (stderr + chunk).slice(-MAX_STDERR_LENGTH)
  })
  setReferenced(false)

  return {
    pid: child.pid,
    isRunning: () => isRunning,
    pending: () => pending.size,
    async run(task, images, timeoutMs) {
      if (!isRunning) throw new ImageProcessEndedError('The image process ended.')
      const id = ++lastId
      const reply = Promise.withResolvers<ImageReply>()
      pending.set(id, reply)
      setReferenced(true)
      const timer = setTimeout(() => {
        pending.delete(id)
        reply.reject(new ImageTaskTimeoutError(`The image process did not finish the task within ${timeoutMs} ms.`))
        end(`A task took longer than ${timeoutMs} ms.`)
      }, timeoutMs)
      try {
        channel.send({ id, task } satisfies ToImageProcess, images)
        return await reply.promise
      } finally {
        clearTimeout(timer)
        pending.delete(id)
        if (isRunning && pending.size === 0) setReferenced(false)
      }
    },
    end: () => end(null),
    exited: exited.promise
  }
}

function spawnProgram(program: string, environment: ImageProcessOptions['environment']): ChildProcess {
  let cause: unknown
  try {
    const child = spawn(process.execPath, [`--max-old-space-size=${MAX_HEAP_MB}`, program], {
      cwd: path.parse(program).root,
      env: { ...environment, ...compileCacheEnvironment() },
      stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
      windowsHide: true
    })
    // Reported by `stdio` if there are too many open files, and by `exit` otherwise.
    child.on('error', () => {})
    if ((child.stdio as unknown) !== undefined) return child
  } catch (error) {
    cause = error
  }
  throw problem('busy', 'The system cannot start another process now. Try again.', {
    headers: { 'Retry-After': '1' },
    cause
  })
}
