import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect, createServer, type AddressInfo } from 'node:net'
import { homedir, tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

interface RunningServer {
  url: string
  stop: () => Promise<void>
}

/** The servers of the scaled profile, and one sentence for each server that is missing. */
export interface Servers {
  missing: string[]
  /** The settings of one test file. */
  prepare: () => Promise<{ env: Record<string, string>; release: () => Promise<void> }>
  stop: () => Promise<void>
}

const STAND_IN = path.resolve(import.meta.dirname, 'mongodb/start')
/** The first start of the stand-in installs it, which takes half a minute. */
const START_TIMEOUT_MS = 180_000

const INSTALL_REDIS =
  'Redis: set REDIS_URL, or install redis-server or valkey-server (Debian: apt-get install redis-server)'
const INSTALL_MONGODB =
  'MongoDB: set MONGODB_URL, or install mongod, or install Python 3.11 or later with venv for the stand-in ' +
  '(Debian: apt-get install python3-venv; see test/servers/mongodb/README.md)'

/**
 * Uses the servers at REDIS_URL and MONGODB_URL. Where one is not set, starts a server on a free
 * port: `redis-server` or `valkey-server`; `mongod`, or else the stand-in in `mongodb/`. Each file
 * gets a stand-in of its own, because a stand-in executes one command at a time, and searches a list
 * of all earlier writes for each new one.
 */
export async function findServers(): Promise<Servers> {
  const start = mongodbProgram()
  const isStandIn = start?.(0).program === STAND_IN
  const redis = external(process.env.REDIS_URL) ?? (await startRedis())
  const ownMongodb = start === null || isStandIn ? null : start
  const shared =
    external(withoutDatabase(process.env.MONGODB_URL)) ?? (ownMongodb === null ? null : await startMongodb(ownMongodb))
  return {
    missing: [
      ...(redis === null ? [INSTALL_REDIS] : []),
      ...(shared === null && start === null ? [INSTALL_MONGODB] : [])
    ],
    async prepare() {
      const mongodb = shared ?? (await startMongodb(start!))
      return {
        env: { TEST_REDIS_URL: redis!.url, TEST_MONGODB_URL: mongodb.url },
        release: async () => {
          if (shared === null) await mongodb.stop()
        }
      }
    },
    stop: async () => {
      await Promise.all([redis?.stop(), shared?.stop()])
    }
  }
}

const external = (url: string | undefined): RunningServer | null =>
  url === undefined ? null : { url, stop: async () => {} }

/** Removes the database name from a MongoDB URL: each test uses a database of its own. */
const withoutDatabase = (url: string | undefined): string | undefined =>
  url === undefined ? undefined : /^mongodb(?:\+srv)?:\/\/[^/]+/.exec(url)?.[0].concat('/')

const isOnPath = (program: string, args = ['--version']): boolean => spawnSync(program, args).status === 0

/** Whether `python-environment` can create environments here. */
export const hasPython = (): boolean =>
  isOnPath('python3', ['-c', 'import sys, venv, ensurepip; assert sys.version_info >= (3, 11)'])

const PYTHON_ENVIRONMENT = path.join(import.meta.dirname, 'python-environment')

/**
 * The folder of a Python virtual environment with the packages of a requirements file. The first call for a file
 * installs them, which takes about half a minute.
 */
export function pythonEnvironment(requirements: string): string {
  const cache = path.join(process.env.XDG_CACHE_HOME ?? path.join(homedir(), '.cache'), 'blog-service-python')
  const { status, stdout, stderr } = spawnSync(PYTHON_ENVIRONMENT, [requirements, cache], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`The packages of ${requirements} could not be installed: ${stderr}`)
  return stdout.trim()
}

/** The Redis server program on the PATH, or undefined. */
export const redisProgram = (): string | undefined => ['redis-server', 'valkey-server'].find((name) => isOnPath(name))

/** Arguments for a Redis server on loopback that writes nothing to disk unless it is `persistent`. */
export const redisArguments = (port: number, { persistent = false } = {}): string[] => [
  ...['--port', String(port), '--bind', '127.0.0.1', '--save', ''],
  ...['--appendonly', persistent ? 'yes' : 'no']
]

/** A TCP port on loopback that was free a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

async function startRedis(): Promise<RunningServer | null> {
  const program = redisProgram()
  if (program === undefined) return null
  const port = await freePort()
  return await startServer(program, redisArguments(port), { url: `redis://127.0.0.1:${port}`, port })
}

/**
 * The command that starts a MongoDB in its working directory: `mongod`, or else the stand-in. Null
 * if neither can run here.
 */
export function mongodbProgram(): ((port: number) => { program: string; args: string[] }) | null {
  if (isOnPath('mongod')) {
    return (port) => ({ program: 'mongod', args: ['--port', String(port), '--bind_ip', '127.0.0.1', '--dbpath', '.'] })
  }
  if (!hasPython()) return null
  return (port) => ({ program: STAND_IN, args: ['--port', String(port)] })
}

type MongodbProgram = NonNullable<ReturnType<typeof mongodbProgram>>

async function startMongodb(start: MongodbProgram): Promise<RunningServer> {
  const port = await freePort()
  const { program, args } = start(port)
  return await startServer(program, args, { url: `mongodb://127.0.0.1:${port}/`, port })
}

/** Starts a server in a temporary working directory. Resolves as soon as its port accepts connections. */
async function startServer(
  program: string,
  args: string[],
  { url, port }: { url: string; port: number }
): Promise<RunningServer> {
  const folder = mkdtempSync(path.join(tmpdir(), 'blog-service-server-'))
  const child = spawn(program, args, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] })
  const exited = once(child, 'exit')
  const early = exited.then(() => {
    throw new Error(`${program} exited before it accepted connections on port ${port}.`)
  })
  await Promise.race([untilListening(port), early])
  early.catch(() => {}) // After this point an exit is expected: stop() below.
  return {
    url,
    async stop() {
      child.kill('SIGKILL') // The data directory is deleted anyway.
      await exited
      rmSync(folder, { recursive: true, force: true })
    }
  }
}

/** Resolves as soon as the port accepts connections. */
export async function untilListening(port: number): Promise<void> {
  const deadline = Date.now() + START_TIMEOUT_MS
  while (Date.now() < deadline) {
    const socket = connect(port, '127.0.0.1')
    const connected = await Promise.race([
      once(socket, 'connect').then(
        () => true,
        () => false
      ),
      wait(1000, false)
    ])
    socket.destroy()
    if (connected) return
    await wait(50)
  }
  throw new Error(`No server accepts connections on port ${port} after ${START_TIMEOUT_MS / 1000} s.`)
}
