import { problem, type ApiError } from '../../errors.ts'
import { createThreadPool, PoolBusyError, TaskLimitError, type ThreadPool } from '../../lib/thread-pool.ts'
import type { AuthoredFields, ComposedFields, ComposeInput } from '../blogs/compose.ts'
import { estimateTime } from './weight.ts'
import { PARTS, TOO_LONG_LINKS, type Part } from '../blogs/content/index.ts'

/** MongoDB documents are limited to 16 MB, and rendering can multiply the size of its input. */
const MAX_LENGTH = 6_000_000

export interface RendererOptions {
  /** CPU time for one blog in milliseconds. */
  timeoutMs: number
  /** Threads of this process. Default: one less than the CPU cores, and at least two. */
  maxThreads?: number
  /** Maximum length of the rendered HTML and CSS together, in characters. Default 6,000,000. */
  maxLength?: number
}

/** Renders content in threads, so that no content can block the event loop. */
export interface Renderer {
  /**
   * Computes the derived fields of a blog. Throws `content_too_complex` if the content exceeds the
   * limits, and `busy` if too much content of the account waits to be rendered.
   */
  composeBlog: (accountId: string, input: ComposeInput) => Promise<ComposedFields>
  /** Threads that render, and blogs that wait. */
  load: ThreadPool['load']
}

/** By options. */
const pools = new Map<string, ThreadPool>()

/**
 * Renderers with equal options share their threads, because a process has a limited number of CPU
 * cores. Threads start on demand, end when they are idle, and do not keep the process running.
 */
function getPool(options: Pick<RendererOptions, 'timeoutMs' | 'maxThreads'>): ThreadPool {
  const key = JSON.stringify(options)
  const pool = pools.get(key) ?? createThreadPool({ entry: new URL('thread.ts', import.meta.url), ...options })
  pools.set(key, pool)
  return pool
}

/** Creates a renderer. */
export function createRenderer({ maxLength = MAX_LENGTH, ...options }: RendererOptions): Renderer {
  const { timeoutMs } = options
  const pool = getPool(options)
  return {
    async composeBlog(accountId, input) {
      try {
        const estimate = estimateTime(input.fields.source)
        const composed = await pool.run({ account: accountId, name: 'composeBlog', input, ...estimate })
        const { body } = composed as ComposedFields
        if (body.html.length + body.css.length > maxLength) throw tooLarge(input.fields, maxLength)
        return composed as ComposedFields
      } catch (error) {
        if (error instanceof TaskLimitError) throw tooComplex(error, input.fields, timeoutMs)
        // A few kilobytes that are referred to many times may exceed the length of a string.
        if (error instanceof RangeError && error.message === 'Invalid string length') {
          throw tooLarge(input.fields, maxLength)
        }
        if (error instanceof RangeError && error.message === TOO_LONG_LINKS) throw tooLongLinks()
        if (!(error instanceof PoolBusyError)) throw error
        throw problem('busy', 'Too much content of this account is being rendered. Retry the request.', {
          headers: { 'Retry-After': '2' },
          cause: error
        })
      }
    },
    load: pool.load
  }
}

/** The request field that a part is rendered from. */
const pointerOf = (part: Part, { source }: AuthoredFields): string => (part === 'css' ? '/css' : `/${source.format}`)

function tooComplex({ reason, part, ...error }: TaskLimitError, fields: AuthoredFields, timeoutMs: number): ApiError {
  const pointer = pointerOf(PARTS[part - 1] ?? 'html', fields)
  const limit =
    reason === 'time' ? `${timeoutMs / 1000} seconds of computing time` : 'the memory that is available for it'
  return problem('content_too_complex', `Rendering ${pointer.slice(1)} takes more than ${limit}.`, {
    errors: [
      {
        pointer,
        code: 'too_complex',
        message:
          'takes too long to render; split the text into several blogs, or remove deeply nested or repeated markup'
      }
    ],
    cause: error
  })
}

function tooLarge(fields: AuthoredFields, maxLength: number): ApiError {
  const pointer = `/${fields.source.format}`
  return problem(
    'content_too_complex',
    `The rendered content has more than ${maxLength.toLocaleString('en')} characters.`,
    { errors: [{ pointer, code: 'too_large', message: 'is too large after rendering; split it into several blogs' }] }
  )
}

function tooLongLinks(): ApiError {
  return problem('content_too_complex', 'The links and images of the text repeat too long addresses and titles.', {
    errors: [
      {
        pointer: '/markdown',
        code: 'too_large',
        message: 'refers too often to link definitions with a long address or title; shorten these'
      }
    ]
  })
}
