import { fork } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { measureAlternating, type Target } from '../load.ts'

/**
 * Compares reads (API key, scope, exact rate limit, all headers) with a bare Fastify server that
 * returns the same bytes, in alternating rounds. MONGODB_URL (ending in a slash) and REDIS_URL
 * select the scaled profile.
 */
const CONNECTIONS = 50
const ROUNDS = Number(process.env.ROUNDS ?? 5)
const SECONDS = Number(process.env.SECONDS ?? 4)
const PATHS = {
  'by slug': '/api/v1/blogs/post-7',
  'list of 20': '/api/v1/blogs',
  related: '/api/v1/blogs/post-7/related',
  categories: '/api/v1/blogs/categories'
}

const start = (file: string) =>
  fork(path.join(import.meta.dirname, file), {
    env: { ...process.env, LOG_LEVEL: process.env.LOG_LEVEL ?? 'info' },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc']
  })

const service = start('service.ts')
const [{ url, key }] = (await once(service, 'message')) as [{ url: string; key: string }]
const headers = { 'x-api-key': key }
const bodies: Record<string, { text: string; etag: string }> = {}
for (const route of Object.values(PATHS)) {
  const response = await fetch(url + route, { headers: { ...headers, 'accept-encoding': 'identity' } })
  bodies[route] = { text: await response.text(), etag: response.headers.get('etag')! }
}
const bare = start('bare.ts')
bare.send(bodies)
const [{ url: bareUrl }] = (await once(bare, 'message')) as [{ url: string }]

const slug = PATHS['by slug']
const targets: Target[] = Object.entries(PATHS).flatMap(([name, route]) => [
  { name: `bare ${name}`, url: bareUrl + route, expect: 200 },
  { name, url: url + route, headers, expect: 200 }
])
const isScaled = process.env.REDIS_URL !== undefined
if (isScaled) targets.push({ name: 'bare by slug with one Redis call', url: `${bareUrl}/redis${slug}`, expect: 200 })
targets.push({
  name: '304 by ETag',
  url: url + slug,
  headers: { ...headers, 'if-none-match': bodies[slug]!.etag },
  expect: 304
})

const rates = await measureAlternating(targets, { rounds: ROUNDS, connections: CONNECTIONS, seconds: SECONDS })
const base = rates.get('bare by slug')!
console.log(
  `Medians of ${ROUNDS} alternating rounds of ${SECONDS} s, ${CONNECTIONS} connections. ` +
    `Bare Fastify by slug (${Buffer.byteLength(bodies[slug]!.text)} bytes): ${base.toFixed(0)}/s\n`
)
console.log(
  '| read | bytes | requests/s | ÷ bare with the same bytes | ÷ bare by slug |\n' +
    '| --- | ---: | ---: | ---: | ---: |'
)
for (const [name, route] of [...Object.entries(PATHS), ['304 by ETag', slug] as const]) {
  const rate = rates.get(name)!
  const bareRate = rates.get(`bare ${name}`)
  const bytes = name.startsWith('304') ? 0 : Buffer.byteLength(bodies[route]!.text)
  const ratio = bareRate === undefined ? '–' : (rate / bareRate).toFixed(2)
  console.log(`| ${name} | ${bytes} | ${rate.toFixed(0)} | ${ratio} | ${(rate / base).toFixed(2)} |`)
}
if (isScaled) {
  console.log(
    `\nBare by slug with one Redis call ÷ bare by slug: ` +
      `${(rates.get('bare by slug with one Redis call')! / base).toFixed(2)}`
  )
}
service.kill()
bare.kill()
