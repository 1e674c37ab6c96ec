import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { freePort, ROOT, startServerProcess } from '../harness/server-process.ts'

const POLL_MS = 100
/** Created by the first key. */
const ACCOUNT = 'import'
/** Below this CPU time in a second, the server has nothing to do. */
const IDLE_MS = 100
/** Clock ticks of /proc per second (USER_HZ of Linux). */
const TICKS = 100

/** CPU time of a process in milliseconds. */
export async function cpuMsOf(pid: number): Promise<number> {
  const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')[1]!.split(' ')
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / TICKS
}

/** The most memory that a process has occupied, in MB. */
export async function peakMbOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/VmHWM:\s*(\d+)/.exec(status)![1]) / 1024
}

export interface Server {
  env: NodeJS.ProcessEnv
  pid: number
  stop: () => Promise<void>
}

/**
 * Starts the service as `npm start` does, in an empty folder, for an account that may store any number of posts.
 * Without demo content: making its images leaves free memory in the process, which would count as memory of the import.
 */
export async function startServer(dataDir: string): Promise<Server> {
  const port = await freePort()
  const env = {
    ...process.env,
    DATA_DIR: dataDir,
    PORT: String(port),
    HOST: '127.0.0.1',
    LOG_LEVEL: 'error',
    MALLOC_ARENA_MAX: process.env.MALLOC_ARENA_MAX ?? '2',
    DEMO_CONTENT: 'off'
  }
  const svc = async (...args: string[]) =>
    await promisify(execFile)(process.execPath, ['bin/svc.ts', ...args], { cwd: ROOT, env })
  await svc('keys', 'create', '--name', 'Import', '--account', ACCOUNT)
  await svc('account', 'set-limits', ACCOUNT, '--blogs', '100000000', '--storage-bytes', '1000000000000')
  const { pid, stop } = await startServerProcess(env)
  let [before, now] = [-Infinity, 0]
  while (now - before > IDLE_MS) {
    await wait(1000)
    before = now
    now = await cpuMsOf(pid)
  }
  return { env, pid, stop }
}

export interface ImportRun {
  /** Elapsed time from the start of the command to its end. */
  seconds: number
  /** Elapsed time of each tenth, in seconds. The first one includes the start of the command. */
  tenths: number[]
  cliPeakMb: number
}

/** Runs `svc import blogs`, which reports each tenth. */
export async function runImport(server: Server, folder: string): Promise<ImportRun> {
  const start = performance.now()
  const child = spawn(
    process.execPath,
    ['bin/svc.ts', 'import', 'blogs', folder, '--project', 'site', '--account', ACCOUNT],
    {
      cwd: ROOT,
      env: server.env,
      stdio: ['ignore', 'ignore', 'pipe']
    }
  )
  const exit = once(child, 'exit')
  const tenths: number[] = []
  let last = start
  let cliPeakMb = 0
  const timer = setInterval(async () => {
    // The process may have ended.
    cliPeakMb = Math.max(cliPeakMb, await peakMbOf(child.pid!).catch(() => 0))
  }, POLL_MS)
  for await (const line of createInterface({ input: child.stderr })) {
    if (!/ \d+\/\d+ blogs? /.test(line)) continue
    tenths.push((performance.now() - last) / 1000)
    last = performance.now()
  }
  const [code] = await exit
  clearInterval(timer)
  if (code !== 0) throw new Error(`The import ended with exit code ${String(code)}`)
  return { seconds: (performance.now() - start) / 1000, tenths, cliPeakMb }
}
