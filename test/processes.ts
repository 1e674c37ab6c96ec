import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import type { Test } from 'tap'
import { SESSION_SECRET } from './helper.ts'
import { settingsFor } from './profile.ts'

const BIN = path.resolve(import.meta.dirname, '../bin')

/** A program that hangs is a failure, not a test run without end. */
const LONGEST_MS = 120_000

/** What a child process is given: no setting of the machine that the tests run on. */
const environment = (env: Record<string, string>): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH,
  HOME: process.env.HOME,
  NODE_NO_WARNINGS: '1',
  DEMO_CONTENT: 'off',
  LOG_LEVEL: 'warn',
  ...env
})

export interface ProgramResult {
  code: number | null
  signal: NodeJS.Signals | null
  out: string
  err: string
}

/** Runs a program of bin/ to its end. `cwd` is where its `.env` would be. */
export async function runProgram(
  name: 'svc' | 'server',
  args: string[],
  { env = {}, cwd = path.resolve(BIN, '..') }: { env?: Record<string, string>; cwd?: string } = {}
): Promise<ProgramResult> {
  const child = spawn(process.execPath, [path.join(BIN, `${name}.ts`), ...args], {
    env: environment(env),
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: LONGEST_MS,
    killSignal: 'SIGKILL'
  })
  const [[code, signal], out, err] = await Promise.all([
    once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>,
    text(child.stdout),
    text(child.stderr)
  ])
  return { code, signal, out, err }
}

/** The command line on this data folder. */
export const createSvc =
  (dataDir: string, env: Record<string, string> = {}) =>
  async (...args: string[]) =>
    await runProgram('svc', args, { env: { ...(await settingsFor(dataDir)), SESSION_SECRET, ...env } })

export interface RunningServer {
  url: string
  child: ChildProcess
  out: () => string
  err: () => string /** Ends it by this signal. */
  end: (signal: NodeJS.Signals) => Promise<{ code: number | null; signal: NodeJS.Signals | null }>
}

/** A real server on this data folder and a free port; resolves when it has said where it is. */
export async function startServer(t: Test, dataDir: string, env: Record<string, string> = {}): Promise<RunningServer> {
  const settings = await settingsFor(dataDir)
  const child = spawn(process.execPath, [path.join(BIN, 'server.ts')], {
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
      reject(new Error(`The server ended with ${code}: ${err}${out}`))
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
  err: () => string /** Waits until it has said this; throws when it ends without. */
  waitForOutput: (what: RegExp) => Promise<RegExpExecArray>
  kill: (signal: NodeJS.Signals) => void
  ended: Promise<number | null> /** Stops reading what it says. */
  closeOutput: () => void
}

/** A program of the tree that runs until it is stopped, at the latest with the test. */
export function startProgram(t: Test, args: string[], env: Record<string, string>): RunningProgram {
  const child = spawn(process.execPath, args, {
    cwd: path.resolve(BIN, '..'),
    env: environment(env),
    stdio: ['ignore', 'pipe', 'pipe']
  })
  t.teardown(() => child.kill('SIGKILL'))
  const said = { out: '', err: '' }
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    said.out += chunk
  })
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    said.err += chunk
  })
  const ended = once(child, 'close').then(([code]) => code as number | null)
  return {
    out: () => said.out,
    err: () => said.err,
    waitForOutput: async (what) => {
      for (const deadline = performance.now() + LONGEST_MS; performance.now() < deadline; await wait(20)) {
        const match = what.exec(said.out) ?? what.exec(said.err)
        if (match !== null) return match
        if (child.exitCode !== null) break
      }
      throw new Error(`It did not say ${what}, but: ${said.err}${said.out}`)
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

/** A command of `svc` that runs until it is stopped, on this data folder. */
export const startSvc = async (
  t: Test,
  dataDir: string,
  args: string[],
  env: Record<string, string> = {}
): Promise<RunningProgram> =>
  startProgram(t, [path.join(BIN, 'svc.ts'), ...args], { ...(await settingsFor(dataDir)), SESSION_SECRET, ...env })
