import { finished } from 'node:stream/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { Pool } from 'undici'
import type { HostileInput } from '../../test/fixtures/isolation/hostile-inputs.ts'

/** A request of an account. */
export interface AccountRequest extends Omit<HostileInput, 'name' | 'method'> {
  method: HostileInput['method'] | 'DELETE'
}

/** How an account signs its requests. */
export interface Credentials {
  url: string
  key: string
  /** A session token, for `asUser`. */
  token: string
}

/** After this time, a request counts as failed. */
const TIMEOUT_MS = 60_000
const POLL_MS = 200

export type Client = ReturnType<typeof createClient>

/** Sends requests of an account over at most `connections` connections; null: one more whenever all are in use. */
export function createClient({ url, key, token }: Credentials, connections: number | null) {
  const pool = new Pool(url, { connections, headersTimeout: TIMEOUT_MS, bodyTimeout: TIMEOUT_MS })

  async function request({ method, path, headers, body, asUser }: AccountRequest, signal: AbortSignal | null) {
    const isEncoded = body === undefined || typeof body === 'string' || Buffer.isBuffer(body)
    return await pool.request({
      method,
      path,
      headers: {
        ...(asUser === true ? { authorization: `Bearer ${token}` } : { 'x-api-key': key }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers
      },
      body: isEncoded ? body : JSON.stringify(body),
      signal
    })
  }

  /** Resolves with any status and the text. Throws if there is no response. */
  async function send(sent: AccountRequest): Promise<{ status: number; text: string }> {
    const { statusCode, body } = await request(sent, null)
    return { status: statusCode, text: await body.text() }
  }

  /** The same without the text, which is received and not decoded: this takes as little CPU time as possible. */
  async function sendOnly(sent: AccountRequest, signal: AbortSignal | null = null): Promise<number> {
    const { statusCode, body } = await request(sent, signal)
    body.resume()
    await finished(body)
    return statusCode
  }

  /** Resolves with the JSON of a response. Throws if its status is not 2xx. */
  async function fetchJson<Result>(sent: AccountRequest): Promise<Result> {
    const { status, text } = await send(sent)
    if (!isSuccess(status)) throw new Error(`${sent.method} ${sent.path}: ${status} ${text.slice(0, 500)}`)
    return JSON.parse(text) as Result
  }

  /** Resolves when no product of the account waits for its texts. */
  async function optimized(): Promise<void> {
    for (const status of ['pending', 'optimizing']) {
      const path = `/api/v1/products?status=${status}&pageSize=1`
      while ((await fetchJson<{ totalCount: number }>({ method: 'GET', path })).totalCount > 0) await wait(POLL_MS)
    }
  }

  return {
    send,
    sendOnly,
    fetchJson,
    optimized,
    async close() {
      await pool.destroy()
    }
  }
}

/** Whether a status is 2xx. */
export const isSuccess = (status: number): boolean => status >= 200 && status < 300

/** The code of an error without a response, such as `ECONNRESET`. */
export const codeOf = (error: unknown): string =>
  (error as { code?: string }).code ?? (error instanceof Error ? error.name : String(error))

/** Counts outcomes, such as statuses and codes of errors. */
export function countOutcomes(outcomes: Iterable<string>): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const outcome of outcomes) counts[outcome] = (counts[outcome] ?? 0) + 1
  return counts
}
