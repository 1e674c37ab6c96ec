import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { Readable, Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import type { Test } from 'tap'
import { buildApp } from '../app.ts'
import { runCommand } from '../bin/svc/main.ts'
import { BROWSER_SANDBOX, SESSION_SECRET } from './helper.ts'
import { settingsFor } from './profile.ts'

const BIN = path.resolve(import.meta.dirname, '../bin')
const PROGRAMS = { svc: 'svc.ts', server: 'server.js' } as const

/** A program that hangs fails its test after this time. */
const TIMEOUT_MS = 120_000

/** The environment of a child process, without the settings of this machine. */
const environment = (env: Record<string, string>): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH,
  HOME: process.env.HOME,
  NODE_NO_WARNINGS: '1',
  DEMO_CONTENT: 'off',
  LOG_LEVEL: 'warn',
  // Programs then load the modules that another test has compiled.
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
  BROWSER_SANDBOX,
  ...env
})

export interface ProgramResult {
  code: number | null
  signal: NodeJS.Signals | null
  out: string
  err: string
}

/** Runs a program of bin/ in its own process, to its end. `cwd` is the folder of its `.env` file. */
export async function runProgram(
  name: keyof typeof PROGRAMS,
  args: string[],
  { env = {}, cwd = path.resolve(BIN, '..') }: { env?: Record<string, string>; cwd?: string } = {}
): Promise<ProgramResult> {
  const child = spawn(process.execPath, [path.join(BIN, PROGRAMS[name]), ...args], {
    env: environment(env),
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: TIMEOUT_MS,
    killSignal: 'SIGKILL'
  })
  const [[code, signal], out, err] = await Promise.all([
    once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>,
    text(child.stdout),
    text(child.stderr)
  ])
  return { code, signal, out, err }
}

/** Runs commands of `svc` on this data folder, each in its own process. */
export const createSvcProcess =
  (dataDir: string, env: Record<string, string> = {}) =>
  async (...args: string[]): Promise<ProgramResult> =>
    await runProgram('svc', args, { env: { ...(await settingsFor(dataDir)), SESSION_SECRET, ...env } })

function collect(): { stream: Writable; text: () => string } {
  const chunks: Buffer[] = []
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk)
      done()
    }
  })
  return { stream, text: () => Buffer.concat(chunks).toString() }
}

/**
 * Runs a command of `svc` in this process: the same code as `bin/svc.ts`, without the seconds that
 * a new process takes to load its modules.
 */
export async function runSvc(
  args: string[],
  { env = {}, stdin = '' }: { env?: Record<string, string>; stdin?: string } = {}
): Promise<ProgramResult> {
  const [stdout, stderr] = [collect(), collect()]
  const code = await runCommand(args, {
    env: { DEMO_CONTENT: 'off', LOG_LEVEL: 'warn', ...env },
    stdin: Readable.from(stdin === '' ? [] : [Buffer.from(stdin)]),
    stdout: stdout.stream,
    stderr: stderr.stream
  })
  return { code, signal: null, out: stdout.text(), err: stderr.text() }
}

/** Runs commands of `svc` on this data folder, in this process. */
export const createSvc =
  (dataDir: string, env: Record<string, string> = {}) =>
  async (...args: string[]): Promise<ProgramResult> =>
    await runSvc(args, { env: { ...(await settingsFor(dataDir)), SESSION_SECRET, ...env } })

/** Runs the service in this process on a free port, until `stop` or the end of the test. */
export async function serve(
  t: Test,
  dataDir: string,
  env: Record<string, string> = {}
): Promise<{ url: string; stop: () => Promise<void> }> {
  const app = await buildApp({
    ...(await settingsFor(dataDir)),
    DEMO_CONTENT: 'off',
    LOG_LEVEL: 'error',
    BROWSER_SANDBOX,
    PORT: '0',
    SESSION_SECRET,
    ...env
  })
  const stop = async () => {
    await app.close()
  }
  t.teardown(stop)
  await app.listen({ host: '127.0.0.1', port: 0 })
  return { url: app.publicUrl, stop }
}

export interface RunningServer {
  url: string
  child: ChildProcess
  out: () => string
  err: () => string
  /** Sends the signal and resolves when the process has exited. */
  end: (signal: NodeJS.Signals) => Promise<{ code: number | null; signal: NodeJS.Signals | null }>
}

/** Starts a server process on this data folder and a free port; resolves when it listens. */
export async function startServer(t: Test, dataDir: string, env: Record<string, string> = {}): Promise<RunningServer> {
  const settings = await settingsFor(dataDir)
  const child = spawn(process.execPath, [path.join(BIN, PROGRAMS.server)], {
    env: environment({ ...settings, PORT: '0', SESSION_SECRET, ...env }),
    stdio: ['ignore', 'pipe', 'pipe']
  })
  t.teardown(() => child.kill('SIGKILL'))
  let out = ''
  let err = ''
  const ended = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    err += chunk
  })
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      out += chunk
      const address = /Address\s+(http\S+)\n/.exec(out)?.[1]
      if (address !== undefined) resolve(address)
    })
    ended.then(([code]) => {
      reject(new Error(`The server exited with ${code}: ${err}${out}`))
    }, reject)
  })
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal)
    const [code, by] = await ended
    return { code, signal: by }
  }
  return { url, child, out: () => out, err: () => err, end }
}

export interface RunningProgram {
  out: () => string
  err: () => string
  /** Resolves with the match when the output contains one; throws if the program exits before. */
  waitForOutput: (what: RegExp) => Promise<RegExpExecArray>
  kill: (signal: NodeJS.Signals) => void
  ended: Promise<number | null>
  /** Closes the reading end of its stdout. */
  closeOutput: () => void
}

/** Starts a program that runs until it is stopped, at the latest at the end of the test. */
export function startProgram(t: Test, args: string[], env: Record<string, string>): RunningProgram {
  const child = spawn(process.execPath, args, {
    cwd: path.resolve(BIN, '..'),
    env: environment(env),
    stdio: ['ignore', 'pipe', 'pipe']
  })
  t.teardown(() => child.kill('SIGKILL'))
  const output = { out: '', err: '' }
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    output.out += chunk
  })
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    output.err += chunk
  })
  const ended = once(child, 'close').then(([code]) => code as number | null)
  return {
    out: () => output.out,
    err: () => output.err,
    waitForOutput: async (what) => {
      for (const deadline = performance.now() + TIMEOUT_MS; performance.now() < deadline; await wait(20)) {
        const match = what.exec(output.out) ?? what.exec(output.err)
        if (match !== null) return match
        if (child.exitCode !== null) break
      }
      throw new Error(`The output does not contain ${what}: ${output.err}${output.out}`)
    },
    kill: (signal) => {
      child.kill(signal)
    },
    ended,
    closeOutput: () => {
      child.stdout.destroy()
    }
  }
}

/** Starts a command of `svc` that runs until it is stopped, on this data folder. */
export const startSvc = async (
  t: Test,
  dataDir: string,
  args: string[],
  env: Record<string, string> = {}
): Promise<RunningProgram> =>
  startProgram(t, [path.join(BIN, 'svc.ts'), ...args], { ...(await settingsFor(dataDir)), SESSION_SECRET, ...env })

/** Creates an API key for an account whose requests are practically unlimited. */
export async function createUnlimitedKey(svc: ReturnType<typeof createSvc>, account: string): Promise<string> {
  const { out } = await svc('keys', 'create', '--name', 'Key', '--account', account)
  await svc('account', 'set-limits', account, '--requests-per-hour', '1000000')
  return out.trim()
}
