import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { Readable, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { FastifyInstance } from 'fastify'
import { SignJWT } from 'jose'
import { buildApp } from '../../app.ts'
import { StartError } from '../../errors.ts'
import { parseConfig, readEnvironment } from '../../plugins/config.ts'
import { PID_FILE, type PidFile } from '../../plugins/pid-file.ts'
import type { Config } from '../../schemas/config.ts'
import type { Problem } from '../../schemas/problem.ts'
import { publicUrl } from './public-url.ts'
import { sessionSecret } from './session-secret.ts'

/**
 * The service, spoken to through its own interface: the server that runs on this data folder, or
 * one that is opened in this process for as long as the command takes.
 */
export interface Operator {
  /**
   * Sends a request as an administrator acting for the account; returns the parsed body. Throws
   * RefusedError.
   */
  call: <T>(method: string, path: string, options?: { account?: string; body?: unknown }) => Promise<T>
  /** Sends a file as it is; returns the parsed answer. Throws RefusedError. */
  upload: <T>(path: string, file: { type: string; body: Readable }) => Promise<T>
  /** Writes a streamed answer to where it shall go. Throws RefusedError. */
  download: (path: string, target: Writable) => Promise<void>
  /** The lines of a streamed answer. */
  lines: (path: string) => AsyncGenerator<string>
  close: () => Promise<void>
}

/** The service said no; the message is what it said. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError'
  readonly problem: Problem

  constructor(problem: Problem) {
    super(
      [
        `${problem.title}: ${problem.detail}`,
        ...(problem.errors ?? []).map(({ pointer, message }) => `  ${pointer} ${message}`)
      ].join('\n')
    )
    this.problem = problem
  }
}

const TOKEN_SECONDS = 3600

export async function openOperator(): Promise<Operator> {
  const env = readEnvironment()
  const config = parseConfig(env)
  // With a key set alone nobody here can sign; the service in this process gets a secret of its
  // own.
  const secret = sessionSecret(config)
  const running = config.MONGODB_URL === undefined ? await runningServer(config.DATA_DIR) : null
  // What the command writes names the service's address, not that of the port which it listens on
  // for itself.
  const app =
    running === null
      ? await openHere({
          ...env,
          PUBLIC_URL: publicUrl(config),
          SESSION_SECRET: secret,
          SESSION_JWKS_URL: undefined,
          ...COMMAND,
          ROLE: worksItself(config) ? 'all' : 'api'
        })
      : null
  const base = running ?? (await listenHere(app!))
  const token = (account: string) =>
    new SignJWT({ account, role: 'admin', iss: config.SESSION_ISSUER, aud: config.SESSION_AUDIENCE })
      .setProtectedHeader({ alg: 'HS256' })
      .setSubject('svc')
      .setExpirationTime(`${TOKEN_SECONDS}s`)
      .sign(new TextEncoder().encode(secret))

  async function send(
    method: string,
    target: string,
    options: { account?: string; body?: unknown } = {}
  ): Promise<Response> {
    const { account = 'svc', body } = options
    const headers = {
      authorization: `Bearer ${await token(account)}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' })
    }
    const response = await fetch(`${base}${target}`, {
      method,
      headers,
      body: body === undefined ? undefined : JSON.stringify(body)
    })
    if (!response.ok) throw new RefusedError((await response.json()) as Problem)
    return response
  }

  return {
    call: async <T>(method: string, target: string, options?: { account?: string; body?: unknown }) => {
      const response = await send(method, target, options)
      return (response.status === 204 ? null : await response.json()) as T
    },
    upload: async <T>(target: string, { type, body }: { type: string; body: Readable }) => {
      const headers = { authorization: `Bearer ${await token('svc')}`, 'content-type': type }
      const response = await fetch(`${base}${target}`, {
        method: 'POST',
        headers,
        body: Readable.toWeb(body) as BodyInit,
        duplex: 'half'
      } as RequestInit)
      if (!response.ok) throw new RefusedError((await response.json()) as Problem)
      return (await response.json()) as T
    },
    download: async (target, into) => {
      const response = await send('GET', target)
      await pipeline(Readable.fromWeb(response.body as Parameters<typeof Readable.fromWeb>[0]), into)
    },
    async *lines(target) {
      const response = await send('GET', target)
      let rest = ''
      for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
        const parts = (rest + chunk).split('\n')
        rest = parts.pop()!
        yield* parts
      }
      // The last line ends with a line break; without one the stream was cut off.
      if (rest !== '') throw new StartError('The export ended in the middle of a line; it is not complete.')
    },
    close: async () => {
      await app?.close()
    }
  }
}

/** The address of the server that has this data folder, when there is one that answers. */
export async function runningServer(dataDir: string): Promise<string | null> {
  let note: PidFile
  try {
    note = JSON.parse(await readFile(path.join(dataDir, PID_FILE), 'utf8')) as PidFile
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
  // At the address of a server that was killed somebody else may answer by now, and must not be
  // shown a token.
  if (!isAlive(note.pid)) return null
  try {
    const response = await fetch(`${note.url}/health/live`, { signal: AbortSignal.timeout(2000) })
    return response.ok ? note.url : null
  } catch {
    return null // A note that a killed server left behind; opening the folder tells whether somebody has it.
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** A command is short, alone and for one person: nobody watches it. */
const COMMAND = { LOG_LEVEL: 'error', WORKERS: '', METRICS: 'off', OTEL_EXPORTER_OTLP_ENDPOINT: undefined }

/**
 * Where the workers are other processes a command leaves jobs to them: one that it began would be
 * broken off when it ends.
 */
const worksItself = ({ MONGODB_URL, REDIS_URL }: Config): boolean =>
  MONGODB_URL === undefined || REDIS_URL === undefined

const openHere = (env: Record<string, string | undefined>): Promise<FastifyInstance> => buildApp(env)

/**
 * The service in this process speaks on a port of this machine alone, so that a command is one code
 * path.
 */
async function listenHere(app: FastifyInstance): Promise<string> {
  await app.listen({ host: '127.0.0.1', port: 0 })
  const address = app.server.address()
  if (address === null || typeof address === 'string') throw new Error('The service in this process has no address.')
  return `http://127.0.0.1:${address.port}`
}
