import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { symlinkSync } from 'node:fs'
import net from 'node:net'
import path from 'node:path'
import t from 'tap'
import { appSettings, temporaryFolder } from '../helper.ts'
import { layOut, list, named, pairs, readDockerfile, ROOT } from './dockerfile.ts'

const image = readDockerfile().at(-1)!
const settings = Object.assign({}, ...named(image, 'ENV').map(pairs)) as Record<string, string>

t.test(
  'the files of the image are complete: the service starts, is healthy, responds and stops',
  { timeout: 120_000 },
  async (t) => {
    const app = temporaryFolder(t)
    const dataDir = temporaryFolder(t)
    layOut(image, app)
    symlinkSync(path.join(ROOT, 'node_modules'), path.join(app, 'node_modules'))
    const port = await freePort()
    const env = {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      ...settings,
      ...(await appSettings(dataDir)),
      LOG_LEVEL: 'warn',
      PORT: String(port)
    }
    const [program, ...args] = list(named(image, 'CMD')[0]!)
    t.equal(program, 'node')
    const server = spawn(process.execPath, args, { cwd: app, env, stdio: ['ignore', 'pipe', 'inherit'] })
    t.teardown(() => server.kill('SIGKILL'))
    const ended = once(server, 'exit')
    await Promise.race([
      once(server.stdout, 'data'),
      ended.then(([code]) => {
        throw new Error(`The server ended with ${code}`)
      })
    ])

    const check = list(named(image, 'HEALTHCHECK')[0]!).slice(1)
    t.equal(spawnSync(process.execPath, check, { env }).status, 0, 'the health check succeeds')
    t.equal(
      spawnSync(process.execPath, check, { env: { ...env, PORT: String(await freePort()) } }).status,
      1,
      'the health check fails without a server'
    )
    const get = async (url: string) => await fetch(`http://127.0.0.1:${port}${url}`)
    t.equal((await get('/health/ready')).status, 200)
    t.equal((await get('/openapi.json')).status, 200)
    t.equal((await get('/docs')).status, 200)

    const svc = (...words: string[]) =>
      spawnSync(process.execPath, ['bin/svc.ts', ...words], { cwd: app, env: { ...env, PORT: '0' }, encoding: 'utf8' })
    const { status, stdout, stderr } = svc(
      'keys',
      'create',
      '--account',
      'demo',
      '--name',
      'From the image',
      '--scopes',
      'blogs:read'
    )
    t.equal(status, 0, stderr)
    const blogs = await fetch(`http://127.0.0.1:${port}/api/v1/blogs`, { headers: { 'x-api-key': stdout.trim() } })
    t.equal(blogs.status, 200)
    t.ok(((await blogs.json()) as { totalCount: number }).totalCount > 0, 'with the demo content')

    server.kill('SIGTERM')
    t.strictSame(await ended, [0, null])
  }
)

async function freePort(): Promise<number> {
  const server = net.createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as net.AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
