import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import t from 'tap'
import { sessionToken, temporaryFolder } from '../../helper.ts'
import { startServer } from '../../processes.ts'
import { freePort, untilListening } from '../../servers/index.ts'

const REQUESTS = 5000
const CLIENTS = 16
const skip = spawnSync('nginx', ['-v']).status === 0 ? false : 'nginx is not installed'

const configuration = (port: number, upstreams: number[]) => `
daemon off; pid nginx.pid; error_log error.log; worker_processes 1;
events { worker_connections 512; }
http {
  access_log off;
  client_body_temp_path body; proxy_temp_path proxy; fastcgi_temp_path fastcgi;
  uwsgi_temp_path uwsgi; scgi_temp_path scgi;
  upstream service {
    ${upstreams.map((upstream) => `server 127.0.0.1:${upstream};`).join('\n    ')}
    keepalive 16;
  }
  server {
    listen 127.0.0.1:${port};
    location / { proxy_pass http://service; proxy_http_version 1.1; proxy_set_header Connection ""; }
  }
}
`

const isReady = async (port: number): Promise<boolean> =>
  await fetch(`http://127.0.0.1:${port}/health/ready`, { signal: AbortSignal.timeout(2000) }).then(
    (response) => response.ok,
    () => false
  )

t.test('no request behind nginx fails while all processes are replaced', { skip, timeout: 300_000 }, async (t) => {
  const data = temporaryFolder(t)
  const ports = [await freePort(), await freePort()]
  const start = async (port: number) =>
    await startServer(t, data, {
      PORT: String(port),
      ROLE: 'api',
      PUBLIC_URL: 'https://content.example',
      ADDRESS_REQUESTS_PER_HOUR: '10000000',
      SHUTDOWN_DELAY_MS: '3000'
    })
  const servers = await Promise.all(ports.map(start))
  const entry = await freePort()
  const folder = temporaryFolder(t)
  const configure = (ready: number[]) => {
    writeFileSync(path.join(folder, 'nginx.conf'), configuration(entry, ready))
  }
  configure(ports)
  const nginx = spawn('nginx', ['-p', folder, '-c', 'nginx.conf', '-e', 'error.log'], { stdio: 'inherit' })
  t.teardown(async () => {
    nginx.kill('SIGTERM')
    await once(nginx, 'exit')
  })
  await untilListening(entry)

  // As an ingress controller does: nginx knows the processes that are ready, and is reloaded when they change.
  let current = ports
  const controller = new AbortController()
  const controlling = (async () => {
    while (!controller.signal.aborted) {
      const states = await Promise.all(ports.map(isReady))
      const ready = ports.filter((_, index) => states[index])
      if (ready.length > 0 && ready.join() !== current.join()) {
        configure(ready)
        nginx.kill('SIGHUP')
        current = ready
      }
      await wait(200)
    }
  })()

  // A new connection for each request: a reload of nginx closes idle connections of clients.
  const agent = new Agent({ maxSockets: CLIENTS })
  t.teardown(() => {
    agent.destroy()
  })
  const send = (method: string, url: string, headers: Record<string, string>, body?: string): Promise<number> =>
    new Promise((resolve, reject) => {
      const sent = request({ agent, host: '127.0.0.1', port: entry, method, path: url, headers }, (response) => {
        response.resume().on('end', () => {
          resolve(response.statusCode!)
        })
      })
      sent.on('error', reject).end(body)
    })
  const admin = `Bearer ${await sessionToken('acme', { role: 'admin' })}`
  const json = { authorization: admin, 'content-type': 'application/json' }
  t.equal(await send('GET', '/api/keys', json), 200)
  t.equal(await send('PATCH', '/api/admin/accounts/acme', json, '{"requestsPerHour":1000000}'), 200)

  const statuses = new Map<number | string, number>()
  let sent = 0
  let replaced = 0
  let hungUp = 0
  const client = async (): Promise<void> => {
    while (sent < REQUESTS || replaced < servers.length) {
      const number = sent++
      const answer = () =>
        number % 10 === 0
          ? send('POST', '/api/keys', json, JSON.stringify({ name: `Key ${number}`, expiresAt: '2020-01-01' }))
          : send('GET', number % 3 === 0 ? '/api/keys' : '/api/account', json)
      // A worker of nginx that ends for a reload closes connections whose request it has not read yet. A request that
      // the service fails is answered with 502 instead.
      const status = await answer().catch((error: NodeJS.ErrnoException) => {
        hungUp += 1
        return error.code === 'ECONNRESET' ? answer().catch((again: Error) => again.message) : error.message
      })
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
    }
  }
  const replacing = (async () => {
    for (const [index, server] of servers.entries()) {
      t.strictSame(await server.end('SIGTERM'), { code: 0, signal: null })
      await start(ports[index]!)
      while (current.length < ports.length) await wait(50)
      await wait(1000) // The reload of nginx.
      replaced += 1
    }
  })()
  await Promise.all([replacing, ...Array.from({ length: CLIENTS }, client)])
  controller.abort()
  await controlling
  t.comment(`${sent} requests, ${hungUp} sent again: ${JSON.stringify([...statuses])}`)
  t.ok(hungUp < 10, 'few connections were closed by nginx')
  t.ok(sent >= REQUESTS)
  // The POST requests are invalid on purpose, so that the store does not fill with keys.
  t.same(
    [...statuses.keys()].filter((status) => status !== 200 && status !== 400),
    []
  )
})
