import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import type { Bench, BenchRow } from '../harness/bench.ts'
import { measureInTurn } from '../harness/in-turn.ts'
import { formatNumber, median } from '../harness/statistics.ts'
import { GENERATOR, measureLoad, type Rates, type Target } from '../load.ts'

const CONNECTIONS = 50
/** Blogs of the account, with `--scale 1`. */
const BLOGS = 2_000
const PATHS = {
  'by slug': '/api/v1/blogs/post-7',
  'by slug with related': '/api/v1/blogs/post-7?include=related',
  'list of 20': '/api/v1/blogs',
  'last page of 20': '/api/v1/blogs?page=LAST',
  search: '/api/v1/blogs?q=water%20gar',
  related: '/api/v1/blogs/post-7/related',
  categories: '/api/v1/blogs/categories'
}
const SLUG = 'by slug'
const RANDOM = 'by slug at random'
const NOT_MODIFIED = '304 by ETag'

interface Body {
  text: string
  etag: string
}

/** A read, and the read of the bare server that it is compared with. */
interface Pair {
  name: string
  bytes: number
  service: Target
  bare: Target
}

function start(file: string, env: Record<string, string> = {}): ChildProcess {
  return fork(path.join(import.meta.dirname, file), {
    env: { ...process.env, LOG_LEVEL: process.env.LOG_LEVEL ?? 'info', ...env },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc']
  })
}

const cpuOf = (server: ChildProcess) => async (): Promise<number> => {
  server.send('cpu')
  const [{ cpu }] = (await once(server, 'message')) as [{ cpu: number }]
  return cpu
}

const barePath = (name: string): string => `/${name.replaceAll(' ', '-')}`

/** Starts both servers. The first read of each blog prepares its response. */
async function startServers(blogs: number) {
  const service = start('service.ts', { BLOGS: String(blogs) })
  const [{ url, key }] = (await once(service, 'message')) as [{ url: string; key: string }]
  const headers = { 'x-api-key': key }
  async function read(route: string): Promise<Body> {
    const response = await fetch(url + route, { headers: { ...headers, 'accept-encoding': 'identity' } })
    return { text: await response.text(), etag: response.headers.get('etag')! }
  }
  const paths = Object.entries(PATHS).map(
    ([name, route]) => [name, route.replace('LAST', String(Math.ceil(blogs / 20)))] as const
  )
  const bodies = new Map<string, Body>()
  for (const [name, route] of paths) bodies.set(name, await read(route))
  const slugs = Array.from({ length: blogs }, (_, n) => `/api/v1/blogs/post-${n}`)
  for (let n = 0; n < blogs; n += 20) await Promise.all(slugs.slice(n, n + 20).map(read))

  const bare = start('bare.ts')
  bare.send(Object.fromEntries([...bodies].map(([name, body]) => [barePath(name), body])))
  const [{ url: bareUrl }] = (await once(bare, 'message')) as [{ url: string }]
  const ofService = { headers, expect: 200, cpu: cpuOf(service) }
  const ofBare = { expect: 200, cpu: cpuOf(bare) }
  const bareTarget = (name: string): Target => ({ name: `bare ${name}`, url: bareUrl + barePath(name), ...ofBare })
  const bytesOf = (name: string): number => Buffer.byteLength(bodies.get(name)!.text)
  const pairs: Pair[] = paths.map(([name, route]) => ({
    name,
    bytes: bytesOf(name),
    service: { name, url: url + route, ...ofService },
    bare: bareTarget(name)
  }))
  pairs.push(
    {
      name: RANDOM,
      bytes: bytesOf(SLUG),
      service: { name: RANDOM, url: slugs.map((slug) => url + slug), ...ofService },
      bare: bareTarget(SLUG)
    },
    {
      name: NOT_MODIFIED,
      bytes: 0,
      service: {
        name: NOT_MODIFIED,
        url: url + PATHS[SLUG],
        ...ofService,
        headers: { ...headers, 'if-none-match': bodies.get(SLUG)!.etag },
        expect: 304
      },
      bare: bareTarget(SLUG)
    }
  )
  if (process.env.REDIS_URL !== undefined) {
    const name = 'bare by slug with one Redis call'
    const withRedis = { name, url: `${bareUrl}/redis${barePath(SLUG)}`, ...ofBare }
    pairs.push({ name, bytes: bytesOf(SLUG), service: withRedis, bare: bareTarget(SLUG) })
  }
  return {
    pairs,
    stop() {
      service.kill()
      bare.kill()
    }
  }
}

/** MONGODB_URL (ending in a slash) and REDIS_URL select the scaled profile, ONLY rows by a part of their names. */
export const bench: Bench = {
  summary:
    'Reads with API key, scope, exact rate limit and all headers, over 50 connections. Compared with a bare Fastify ' +
    'server that returns a prebuilt body of the same bytes; reads of random slugs and 304 with its reads by slug.',
  async run({ rounds, seconds, scale }) {
    const { pairs, stop } = await startServers(Math.ceil(BLOGS * scale))
    const selected = pairs.filter(({ name }) => name.includes(process.env.ONLY ?? ''))
    /** The rates of each target, the first of which are the warm-up. */
    const rates = new Map<string, Rates[]>()
    const targets = new Map(selected.flatMap(({ service, bare }) => [service, bare].map((one) => [one.name, one])))
    const values = await measureInTurn(
      [...targets].map(([name, target]) => ({
        name,
        async measure() {
          const measured = await measureLoad(target, { connections: CONNECTIONS, seconds })
          rates.set(name, [...(rates.get(name) ?? []), measured])
          return measured.requestsPerSecond
        }
      })),
      rounds
    )
    stop()
    const ofRounds = (name: string, key: keyof Rates): number[] =>
      rates
        .get(name)!
        .slice(1)
        .map((one) => one[key])
    return selected.map(({ name, bytes, service, bare }): BenchRow => {
      const [cpu, bareCpu] = [service, bare].map((target) => median(ofRounds(target.name, 'cpuMicros'))) as [
        number,
        number
      ]
      return {
        name,
        unit: 'requests/s',
        values: values.get(service.name)!,
        baseline: { name: bare.name, values: values.get(bare.name)! },
        extra: {
          bytes: formatNumber(bytes),
          generator: GENERATOR,
          'p99 at most': `${Math.max(...ofRounds(service.name, 'p99'))} ms`,
          'CPU time': `${formatNumber(cpu)} µs`,
          'CPU time of bare': `${formatNumber(bareCpu)} µs`,
          'ratio of CPU times': formatNumber(bareCpu / cpu)
        }
      }
    })
  }
}
