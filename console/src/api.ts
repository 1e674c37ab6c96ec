import type { BlogList } from '../../schemas/blog.ts'
import type { Problem } from '../../schemas/problem.ts'
import { getSession, setSession } from './session.ts'

/** A list of blogs that was read by page number. */
export type BlogPage = BlogList & Required<Pick<BlogList, 'totalCount' | 'page' | 'totalPages'>>

/** An error response of the API, or a failed connection. */
export class ApiError extends Error {
  readonly problem: Problem | null
  constructor(message: string, problem: Problem | null) {
    super(message)
    this.problem = problem
  }
}

export interface RequestOptions {
  /** Sent as JSON. */
  body?: unknown
  /** Sent as it is, with its own content type. */
  upload?: Blob
  headers?: Record<string, string>
  signal?: AbortSignal
}

/** The state of the caller's rate limit, from the headers of the last response. */
export const rateLimit = { limit: Infinity, remaining: Infinity }

/** Sends a request with the credential of the session. Throws ApiError. */
export async function send(method: string, path: string, options: RequestOptions = {}): Promise<Response> {
  const { body, upload, headers = {}, signal } = options
  const session = getSession()
  let response: Response
  try {
    response = await fetch(path, {
      method,
      // Published content may be cached for a minute. The console shows what was just changed: it asks by ETag.
      cache: 'no-cache',
      headers: {
        ...(session === null ? {} : { authorization: `Bearer ${session.credential}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(upload === undefined ? {} : { 'content-type': upload.type }),
        ...headers
      },
      body: upload ?? (body === undefined ? null : JSON.stringify(body)),
      ...(signal === undefined ? {} : { signal })
    })
  } catch (error) {
    if (signal?.aborted === true) throw error
    throw new ApiError('The service cannot be reached. Check the connection, then try again.', null)
  }
  readRateLimit(response.headers)
  if (response.ok) return response
  const problem = await readProblem(response)
  // The session ended, unless it only lacks access to this endpoint, as API keys do.
  if (response.status === 401 && session?.kind === 'session') setSession(null)
  throw new ApiError(problem?.detail ?? `The service responded with status ${response.status}.`, problem)
}

function readRateLimit(headers: Headers): void {
  const limit = Number(headers.get('x-ratelimit-limit') ?? Number.NaN)
  const remaining = Number(headers.get('x-ratelimit-remaining') ?? Number.NaN)
  if (!Number.isNaN(limit) && !Number.isNaN(remaining)) Object.assign(rateLimit, { limit, remaining })
}

async function readProblem(response: Response): Promise<Problem | null> {
  const isProblem = response.headers.get('content-type')?.includes('json') === true
  return isProblem ? ((await response.json()) as Problem) : null
}

/** Sends a request and parses the JSON of the response. `undefined` for a response without a body. */
export async function call<T>(method: string, path: string, options: RequestOptions = {}): Promise<T> {
  const response = await send(method, path, options)
  return (response.status === 204 ? undefined : await response.json()) as T
}

/** A path with a query string. Null, undefined and empty values are left out. */
export function withQuery(path: string, query: Record<string, string | number | null | undefined>): string {
  const entries = Object.entries(query).filter(([, value]) => value !== null && value !== undefined && value !== '')
  const text = new URLSearchParams(entries.map(([name, value]) => [name, String(value)])).toString()
  return text === '' ? path : `${path}?${text}`
}

/** The message of any error, for people. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
