import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

/** The root of the repository. */
export const ROOT = path.join(import.meta.dirname, '../..')
const POLL_MS = 100

/** A port of 127.0.0.1 that no program listens on. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  return port
}

/** A server that listens. */
export interface ServerProcess {
  child: ChildProcess
  pid: number
  /** Ends it with SIGTERM, and resolves when it has ended. */
  stop: () => Promise<void>
}

/**
 * Starts a server as `npm start` does, with this environment and PORT; resolves when it listens. Throws if it ends. If
 * this process ends by an error, it is killed.
 */
export async function startServerProcess(env: NodeJS.ProcessEnv): Promise<ServerProcess> {
  const child = spawn(process.execPath, ['--max-semi-space-size=4', 'bin/server.js'], {
    cwd: ROOT,
    env,
    stdio: ['ignore', 'ignore', 'inherit']
  })
  const { pid } = child
  if (pid === undefined) throw new Error('The server did not start')
  const kill = (): boolean => child.kill('SIGKILL')
  process.once('exit', kill)
  child.once('exit', () => process.off('exit', kill))
  while (!(await isLive(Number(env.PORT)))) {
    if (hasEnded(child)) throw new Error(`The server ended with exit code ${child.exitCode}`)
    await wait(POLL_MS)
  }
  return { child, pid, stop: async () => await stop(child) }
}

/** Whether a process has exited or was killed. */
export const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode !== null || signalCode !== null

async function isLive(port: number): Promise<boolean> {
  return await fetch(`http://127.0.0.1:${port}/health/live`).then(
    ({ ok }) => ok,
    () => false
  )
}

async function stop(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return
  const exit = once(child, 'exit')
  child.kill('SIGTERM')
  await exit
}
