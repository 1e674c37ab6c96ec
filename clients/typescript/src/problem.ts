import type { Problem } from './openapi.ts'

/**
 * A response with an error status. `code` is stable: use it in programs. A response that did not
 * come from the service, such as the error page of a proxy, has no `problem`, and its `code` is
 * `unknown`.
 */
export class ProblemError extends Error {
  override readonly name = 'ProblemError'
  readonly status: number
  readonly code: string
  /** The id to send to the operator of the service. */
  readonly requestId: string | null
  /** The invalid fields. */
  readonly errors: NonNullable<Problem['errors']>
  /** The problem document (RFC 9457), with the members that only this code has. */
  readonly problem: Problem | null
  /** The number of seconds after which to send the request again. */
  readonly retryAfterSeconds: number | null
  readonly response: Response

  /** `body` is the parsed body of the response. */
  constructor(response: Response, body: unknown) {
    const problem = isProblem(body) ? body : null
    const errors = problem?.errors ?? []
    const text = problem?.detail ?? (`${response.status} ${response.statusText}`.trim() || 'Error response')
    const missing = errors.filter(({ message }) => !text.includes(message))
    const fields = missing.map(({ pointer, message }) => `${pointer}: ${message}`).join('; ')
    super(fields === '' ? text : `${text} (${fields})`)
    this.status = response.status
    this.code = problem?.code ?? 'unknown'
    this.requestId = problem?.requestId ?? response.headers.get('x-request-id')
    this.errors = errors
    this.problem = problem
    this.retryAfterSeconds = retryAfterSeconds(response)
    this.response = response
  }
}

function isProblem(body: unknown): body is Problem {
  return typeof body === 'object' && body !== null && 'code' in body && typeof body.code === 'string'
}

/** The header Retry-After, which is a number of seconds or a date, in seconds from now; null without it. */
export function retryAfterSeconds({ headers }: Response, now = Date.now()): number | null {
  const value = headers.get('retry-after')?.trim() ?? ''
  if (/^\d{1,9}$/.test(value)) return Number(value)
  const date = Date.parse(value)
  return Number.isNaN(date) ? null : Math.max(0, (date - now) / 1000)
}
