import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { Readable, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { FastifyInstance } from 'fastify'
import { StartError } from '../../errors.ts'
import type { Environment } from '../../plugins/config/environment.ts'
import { PID_FILE, type PidFile } from '../../plugins/pid-file.ts'
import type { Config } from '../../schemas/config.ts'
import type { Problem } from '../../schemas/problem.ts'
import { RequestError } from './command.ts'
import { publicUrl, sessionSecret, signSession } from './settings.ts'

interface RequestOptions {
  /** The account to act for. Default: `svc`, the account of the command line. */
  account?: string
  /** Sent as JSON. */
  body?: unknown
}

/**
 * An administrator's client of the HTTP API. Requests go to the server that runs on this data
 * folder, or to one that is started in this process for the duration of the command.
 */
export interface AdminClient {
  /** Sends a request and returns the parsed response body. Throws RequestError. */
  call: <T>(method: string, path: string, options?: RequestOptions) => Promise<T>
  /** Posts a stream and returns the parsed response body. Throws RequestError. */
  upload: <T>(path: string, file: { type: string; body: Readable }) => Promise<T>
  /** Pipes a response body into `target`. Throws RequestError. */
  download: (path: string, target: Writable) => Promise<void>
  /** The lines of a response body. Throws RequestError, or StartError if the last line is cut off. */
  lines: (path: string) => AsyncGenerator<string>
  close: () => Promise<void>
}

const TOKEN_SECONDS = 3600

export async function openAdminClient(env: Environment, config: Config): Promise<AdminClient> {
  const secret = sessionSecret(config)
  const running = config.MONGODB_URL === undefined ? await findRunningServer(config.DATA_DIR) : null
  const app = running === null ? await startApp(env, config, secret) : null
  const base = running ?? listeningAddress(app!)

  async function authorization(account = 'svc'): Promise<string> {
    const claims = { subject: 'svc', account, role: 'admin', expiresInSeconds: TOKEN_SECONDS } as const
    return `Bearer ${await signSession(config, secret, claims)}`
  }

  async function send(target: string, init: RequestInit): Promise<Response> {
    const response = await fetch(`${base}${target}`, init)
    if (!response.ok) throw new RequestError((await response.json()) as Problem)
    return response
  }

  const get = async (target: string) => await send(target, { headers: { authorization: await authorization() } })

  return {
    async call<T>(method: string, target: string, { account, body }: RequestOptions = {}) {
      const response = await send(target, {
        method,
        headers: {
          authorization: await authorization(account),
          ...(body === undefined ? {} : { 'content-type': 'application/json' })
        },
        body: body === undefined ? undefined : JSON.stringify(body)
      })
      return (response.status === 204 ? null : await response.json()) as T
    },
    async upload<T>(target: string, { type, body }: { type: string; body: Readable }) {
      const response = await send(target, {
        method: 'POST',
        headers: { authorization: await authorization(), 'content-type': type },
        body: Readable.toWeb(body) as BodyInit,
        duplex: 'half'
      } as RequestInit)
      return (await response.json()) as T
    },
    async download(path, target) {
      const { body } = await get(path)
      await pipeline(Readable.fromWeb(body as Parameters<typeof Readable.fromWeb>[0]), target)
    },
    async *lines(path) {
      const { body } = await get(path)
      let rest = ''
      for await (const chunk of body!.pipeThrough(new TextDecoderStream())) {
        const parts = (rest + chunk).split('\n')
        rest = parts.pop()!
        yield* parts
      }
      if (rest !== '') throw new StartError('The export is incomplete: it ended in the middle of a line.')
    },
    async close() {
      await app?.close()
    }
  }
}

/**
 * Where people reach the service: at PUBLIC_URL, or else at the server that runs on this data folder. With MongoDB,
 * its processes are unknown, and `isRunning` is null.
 */
export async function findService(config: Config): Promise<{ url: string; isRunning: boolean | null }> {
  const isEmbedded = config.MONGODB_URL === undefined
  const running = isEmbedded ? await findRunningServer(config.DATA_DIR) : null
  return {
    url: config.PUBLIC_URL === undefined && running !== null ? running : publicUrl(config),
    isRunning: isEmbedded ? running !== null : null
  }
}

/** The address of the server that runs on this data folder; null if none responds. */
export async function findRunningServer(dataDir: string): Promise<string | null> {
  let server: PidFile
  try {
    server = JSON.parse(await readFile(path.join(dataDir, PID_FILE), 'utf8')) as PidFile
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
  // After a server was killed, another program may use its port. It must not receive a token.
  if (!isProcessAlive(server.pid)) return null
  try {
    const response = await fetch(`${server.url}/health/live`, { signal: AbortSignal.timeout(2000) })
    return response.ok ? server.url : null
  } catch {
    return null // A stale file of a killed server. Opening the folder shows whether it is in use.
  }
}

function isProcessAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** A command is short and used by one person: it exports no metrics and no traces. */
const COMMAND_SETTINGS = { LOG_LEVEL: 'error', WORKERS: '', METRICS: 'off', OTEL_EXPORTER_OTLP_ENDPOINT: undefined }

/** Starts the service in this process, on a port of the loopback interface. */
async function startApp(env: Environment, config: Config, secret: string): Promise<FastifyInstance> {
  // Loaded on demand: with a running server a command does not need the service's modules.
  const { buildApp } = await import('../../app.ts')
  // With MongoDB and Redis, jobs are left to the worker processes: a job that began here would be
  // interrupted at the end of the command.
  const hasWorkers = config.MONGODB_URL !== undefined && config.REDIS_URL !== undefined
  const app = await buildApp({
    ...env,
    // URLs in stored content must name the service's address, not that of the port used here.
    PUBLIC_URL: publicUrl(config),
    SESSION_SECRET: secret,
    SESSION_JWKS_URL: undefined,
    ...COMMAND_SETTINGS,
    ROLE: hasWorkers ? 'api' : 'all'
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  return app
}

function listeningAddress(app: FastifyInstance): string {
  const address = app.server.address()
  if (address === null || typeof address === 'string') throw new Error('The service in this process has no address.')
  return `http://127.0.0.1:${address.port}`
}
