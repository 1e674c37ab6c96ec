import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { loadavg } from 'node:os'
import path from 'node:path'
import { measureAlternating, type Target } from '../load.ts'

/**
 * Compares reads (API key, scope, exact rate limit, all headers) with a bare Fastify server that
 * returns the same bytes, in alternating rounds. MONGODB_URL (ending in a slash) and REDIS_URL
 * select the scaled profile. ONLY selects rows by a part of their names.
 */
const CONNECTIONS = 50
const ROUNDS = Number(process.env.ROUNDS ?? 5)
const SECONDS = Number(process.env.SECONDS ?? 4)
const ONLY = process.env.ONLY ?? ''
const PATHS = {
  'by slug': '/api/v1/blogs/post-7',
  'by slug with related': '/api/v1/blogs/post-7?include=related',
  'list of 20': '/api/v1/blogs',
  'last page of 20': '/api/v1/blogs?page=LAST',
  search: '/api/v1/blogs?q=water%20gar',
  related: '/api/v1/blogs/post-7/related',
  categories: '/api/v1/blogs/categories'
}
const RANDOM = 'by slug at random'
const NOT_MODIFIED = '304 by ETag'

const start = (file: string) =>
  fork(path.join(import.meta.dirname, file), {
    env: { ...process.env, LOG_LEVEL: process.env.LOG_LEVEL ?? 'info' },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc']
  })
const cpuOf = (server: ChildProcess) => async (): Promise<number> => {
  server.send('cpu')
  const [{ cpu }] = (await once(server, 'message')) as [{ cpu: number }]
  return cpu
}

const service = start('service.ts')
const [{ url, key, blogs }] = (await once(service, 'message')) as [{ url: string; key: string; blogs: number }]
const headers = { 'x-api-key': key }
const paths = Object.entries(PATHS).map(
  ([name, route]) => [name, route.replace('LAST', String(Math.ceil(blogs / 20)))] as const
)
async function read(route: string): Promise<{ text: string; etag: string }> {
  const response = await fetch(url + route, { headers: { ...headers, 'accept-encoding': 'identity' } })
  return { text: await response.text(), etag: response.headers.get('etag')! }
}
/** The bodies by the path at which the bare server returns them. */
const bodies: Record<string, { text: string; etag: string }> = {}
const barePath = (name: string): string => `/${name.replaceAll(' ', '-')}`
for (const [name, route] of paths) bodies[barePath(name)] = await read(route)
// The first read of each blog prepares its response.
const slugs = Array.from({ length: blogs }, (_, n) => `/api/v1/blogs/post-${n}`)
const firstReads = performance.now()
for (let n = 0; n < blogs; n += 20) await Promise.all(slugs.slice(n, n + 20).map(read))
const firstReadsPerSecond = (blogs / (performance.now() - firstReads)) * 1000
const bare = start('bare.ts')
bare.send(bodies)
const [{ url: bareUrl }] = (await once(bare, 'message')) as [{ url: string }]

const slug = PATHS['by slug']
const SLUG = barePath('by slug')
const ofService = { headers, expect: 200, cpu: cpuOf(service) }
const ofBare = { expect: 200, cpu: cpuOf(bare) }
const all: Target[] = paths.flatMap(([name, route]) => [
  { name: `bare ${name}`, url: bareUrl + barePath(name), ...ofBare },
  { name, url: url + route, ...ofService }
])
all.push(
  { name: RANDOM, url: slugs.map((path) => url + path), ...ofService },
  {
    name: NOT_MODIFIED,
    url: url + slug,
    ...ofService,
    headers: { ...headers, 'if-none-match': bodies[SLUG]!.etag },
    expect: 304
  }
)
const isScaled = process.env.REDIS_URL !== undefined
if (isScaled) all.push({ name: 'bare by slug with one Redis call', url: `${bareUrl}/redis${SLUG}`, ...ofBare })
const targets = all.filter(({ name }) => name === 'bare by slug' || name.includes(ONLY))

const rates = await measureAlternating(targets, { rounds: ROUNDS, connections: CONNECTIONS, seconds: SECONDS })
const base = rates.get('bare by slug')!
console.log(
  `Medians of ${ROUNDS} alternating rounds of ${SECONDS} s, ${CONNECTIONS} connections, ${blogs} blogs; ` +
    `load ${loadavg()[0]!.toFixed(1)}.\n` +
    `Bare Fastify by slug (${Buffer.byteLength(bodies[SLUG]!.text)} bytes): ` +
    `${base.requestsPerSecond.toFixed(0)}/s, ${base.cpuMicros.toFixed(1)} µs of CPU time a request.\n` +
    `First reads of all blogs: ${firstReadsPerSecond.toFixed(0)}/s.\n`
)
console.log(
  '| read | bytes | requests/s | p99 ms | CPU µs | ÷ bare, requests/s | ÷ bare, CPU |\n' +
    '| --- | ---: | ---: | ---: | ---: | ---: | ---: |'
)
for (const { name } of targets.filter((target) => !target.name.startsWith('bare'))) {
  const { requestsPerSecond, cpuMicros, p99 } = rates.get(name)!
  const baseline = rates.get(`bare ${name}`) ?? base
  const cells = [
    name,
    name === NOT_MODIFIED ? 0 : Buffer.byteLength((bodies[barePath(name)] ?? bodies[SLUG]!).text),
    requestsPerSecond.toFixed(0),
    p99,
    cpuMicros.toFixed(1),
    (requestsPerSecond / baseline.requestsPerSecond).toFixed(2),
    (baseline.cpuMicros / cpuMicros).toFixed(2)
  ]
  console.log(`| ${cells.join(' | ')} |`)
}
if (isScaled && ONLY === '') {
  const withRedis = rates.get('bare by slug with one Redis call')!
  console.log(
    `\nBare by slug with one Redis call ÷ bare by slug: ` +
      `${(withRedis.requestsPerSecond / base.requestsPerSecond).toFixed(2)}`
  )
}
service.kill()
bare.kill()
