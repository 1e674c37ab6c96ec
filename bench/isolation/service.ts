import { existsSync, rmSync } from 'node:fs'
import { buildApp } from '../../app.ts'
import { signSession } from '../../services/auth/sessions.ts'
import { freePort, hasEnded, startServerProcess, type ServerProcess } from '../harness/server-process.ts'
import { isScaled, prepareSettings } from '../harness/settings.ts'
import type { Credentials } from './client.ts'
import { temporaryFolder } from '../harness/temporary-folder.ts'

const BLOCK_METER = new URL('../../test/fixtures/isolation/block-meter.js', import.meta.url).href
const MEMORY = '/dev/shm'
const UNLIMITED = 1e12
const REQUESTS_PER_HOUR = 100_000_000
const TOKEN_SECONDS = 36_000
const POLL_MS = 200

/** What was measured of a process. */
export interface ProcessLoad {
  name: string
  /** The CPU time of its longest turn of the event loop, in milliseconds. */
  turnMs: number
  /** Its maximum resident memory, in bytes. */
  residentBytes: number
  /** The exit code or the signal, if it ended; otherwise null. */
  ended: string | null
}

interface MeteredProcess {
  name: string
  meterUrl: string
  server: ServerProcess
}

/** A service with two accounts: one process in the embedded profile, otherwise one for requests and one for jobs. */
export interface Service {
  attacker: Credentials
  neighbor: Credentials
  /** Begins to measure the processes. The function that it returns ends that. */
  watch: () => Promise<() => Promise<ProcessLoad[]>>
  /** Ends the processes and deletes the data. */
  stop: () => Promise<void>
}

/** Starts a new service, with its files in memory where the system has /dev/shm. */
export async function startService(): Promise<Service> {
  const folder = temporaryFolder('bench-isolation', existsSync(MEMORY) ? MEMORY : undefined)
  const { env, remove } = await prepareSettings(folder)
  const processes: MeteredProcess[] = []
  async function stop(): Promise<void> {
    for (const { server } of processes) await server.stop()
    await remove()
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    const port = await freePort()
    const accounts = await createAccounts(env, `http://127.0.0.1:${port}`)
    for (const role of isScaled() ? ['api', 'worker'] : ['all']) {
      processes.push(await startMetered(role, env, role === 'worker' ? await freePort() : port))
    }
    return { ...accounts, watch: async () => await watch(processes), stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Two accounts without limits. */
async function createAccounts(env: Record<string, string>, url: string) {
  const app = await buildApp(env)
  const create = async (account: string): Promise<Credentials> => {
    await app.services.accounts.ensure(account)
    await app.services.accounts.update(account, {
      requestsPerHour: REQUESTS_PER_HOUR,
      storage: { bytes: UNLIMITED, blogs: UNLIMITED, products: UNLIMITED, images: UNLIMITED }
    })
    await app.services.projects.create(account, { id: 'shop', optimize: 'auto' })
    const { key } = await app.services.apiKeys.create(account, { name: 'Bench' })
    const claims = { subject: account, account, expiresInSeconds: TOKEN_SECONDS }
    return { url, key: key!, token: await signSession({}, env.SESSION_SECRET!, claims) }
  }
  const accounts = { attacker: await create('attacker'), neighbor: await create('neighbor') }
  await app.close()
  return accounts
}

async function startMetered(role: string, env: Record<string, string>, port: number): Promise<MeteredProcess> {
  const meterPort = await freePort()
  const { MONGODB_URL: _mongodb, REDIS_URL: _redis, ...own } = process.env
  const server = await startServerProcess({
    ...own,
    ...env,
    LOG_LEVEL: 'error',
    HOST: '127.0.0.1',
    PORT: String(port),
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    ROLE: role,
    SHUTDOWN_DELAY_MS: '0',
    NODE_OPTIONS: `--import=${BLOCK_METER}`,
    BLOCK_METER_PORT: String(meterPort)
  })
  return { name: role, meterUrl: `http://127.0.0.1:${meterPort}`, server }
}

async function watch(processes: MeteredProcess[]): Promise<() => Promise<ProcessLoad[]>> {
  const loads = processes.map(({ name }): ProcessLoad => ({ name, turnMs: 0, residentBytes: 0, ended: null }))
  async function read(): Promise<void> {
    await Promise.all(
      processes.map(async ({ meterUrl, server: { child } }, index) => {
        const load = loads[index]!
        load.ended = hasEnded(child) ? String(child.signalCode ?? child.exitCode) : null
        if (load.ended !== null) return
        try {
          const { blockedMs, residentBytes } = (await (await fetch(meterUrl)).json()) as {
            blockedMs: number
            residentBytes: number
          }
          load.turnMs = Math.max(load.turnMs, blockedMs)
          load.residentBytes = Math.max(load.residentBytes, residentBytes)
        } catch (error) {
          if (!hasEnded(child)) throw error
        }
      })
    )
  }
  await read()
  for (const load of loads) load.turnMs = 0
  let reading: Promise<void> = Promise.resolve()
  const timer = setInterval(() => {
    reading = reading.then(read)
  }, POLL_MS)
  return async () => {
    clearInterval(timer)
    await reading
    await read()
    return loads
  }
}
