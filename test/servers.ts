import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

interface Running {
  url: string
  stop: () => Promise<void>
}

/**
 * What was found for the scaled profile: settings for the tests, and what is missing, one sentence
 * each.
 */
export interface Servers {
  env: Record<string, string>
  missing: string[]
  stop: () => Promise<void>
}

/**
 * The servers of MONGODB_URL and REDIS_URL; where these are not set, servers that are started here
 * on free ports: `redis-server` or `valkey-server`, and `mongod`,
 * of the path, or a mongod that mongodb-memory-server can download.
 */
export async function findServers(): Promise<Servers> {
  const redis = given(process.env.REDIS_URL) ?? (await startRedis())
  const mongodb = given(withoutName(process.env.MONGODB_URL)) ?? (await startMongod()) ?? (await downloadMongod())
  const missing = [
    ...(redis === null ? ['the tests over Redis: set REDIS_URL, or install redis-server or valkey-server'] : []),
    ...(mongodb === null ? ['the tests over MongoDB: set MONGODB_URL, or install mongod'] : [])
  ]
  return {
    env: {
      ...(redis === null ? {} : { TEST_REDIS_URL: redis.url }),
      ...(mongodb === null ? {} : { TEST_MONGODB_URL: mongodb.url })
    },
    missing,
    stop: async () => {
      await Promise.all([redis?.stop(), mongodb?.stop()])
    }
  }
}

const given = (url: string | undefined): Running | null => (url === undefined ? null : { url, stop: async () => {} })

/** The server's address without the name of a database: each test has one of its own. */
const withoutName = (url: string | undefined): string | undefined =>
  url === undefined ? undefined : /^mongodb(?:\+srv)?:\/\/[^/]+/.exec(url)?.[0].concat('/')

const isOnPath = (program: string): boolean => spawnSync(program, ['--version']).status === 0

/** What serves as a Redis here: its name on the path; undefined where there is none. */
export const redisProgram = (): string | undefined => ['redis-server', 'valkey-server'].find(isOnPath)

/** Its settings: this machine alone, and nothing on disk unless it is `persistent`. */
export const redisArguments = (port: number, { persistent = false } = {}): string[] => [
  '--port',
  String(port),
  '--bind',
  '127.0.0.1',
  '--save',
  '',
  '--appendonly',
  persistent ? 'yes' : 'no'
]

/** A port of this machine that nobody has just now. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

async function startRedis(): Promise<Running | null> {
  const program = redisProgram()
  if (program === undefined) return null
  const port = await freePort()
  return await start(program, redisArguments(port), { url: `redis://127.0.0.1:${port}`, port })
}

async function startMongod(): Promise<Running | null> {
  if (!isOnPath('mongod')) return null
  const port = await freePort()
  return await start('mongod', ['--port', String(port), '--bind_ip', '127.0.0.1', '--dbpath', '.'], {
    url: `mongodb://127.0.0.1:${port}/`,
    port
  })
}

/** Starts a server in a folder that is gone at the end, and resolves when its port answers. */
async function start(program: string, args: string[], { url, port }: { url: string; port: number }): Promise<Running> {
  const folder = mkdtempSync(path.join(tmpdir(), 'blog-service-server-'))
  const child = spawn(program, args, { cwd: folder, stdio: 'ignore' })
  const ended = once(child, 'exit')
  await answers(port)
  return {
    url,
    async stop() {
      child.kill('SIGKILL') // It holds nothing but what tests wrote.
      await ended
      rmSync(folder, { recursive: true, force: true })
    }
  }
}

async function answers(port: number): Promise<void> {
  const { connect } = await import('node:net')
  for (let tries = 0; tries < 200; tries++) {
    const socket = connect(port, '127.0.0.1')
    const reached = await Promise.race([
      once(socket, 'connect').then(
        () => true,
        () => false
      ),
      wait(1000, false)
    ])
    socket.destroy()
    if (reached) return
    await wait(50)
  }
  throw new Error(`No server answers on port ${port}`)
}

/** Null where the download does not work: then the caller says what was not run. */
async function downloadMongod(): Promise<Running | null> {
  try {
    const { MongoMemoryServer } = await import('mongodb-memory-server-core')
    const server = await MongoMemoryServer.create()
    return {
      url: server.getUri().replace(/\/?(\?.*)?$/, '/'),
      stop: async () => {
        await server.stop()
      }
    }
  } catch (error) {
    process.stderr.write(`No mongod could be downloaded: ${(error as Error).message.split('\n')[0]}\n`)
    return null
  }
}
