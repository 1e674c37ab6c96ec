import { fork } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { inTurn, type Target } from '../load.ts'

/**
 * Reads by key, scope, exact limit and all headers, against a bare Fastify that returns the same
 * bytes: in turn, in one run. With MONGODB_URL (ending in a slash) and REDIS_URL in the scaled
 * profile.
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

const product = start('product.ts')
const [{ url, key }] = (await once(product, 'message')) as [{ url: string; key: string }]
const headers = { 'x-api-key': key }
const bodies: Record<string, { text: string; etag: string }> = {}
for (const route of Object.values(PATHS)) {
  const answer = await fetch(url + route, { headers: { ...headers, 'accept-encoding': 'identity' } })
  bodies[route] = { text: await answer.text(), etag: answer.headers.get('etag')! }
}
const bare = start('bare.ts')
bare.send(bodies)
const [{ url: bareUrl }] = (await once(bare, 'message')) as [{ url: string }]

const slug = PATHS['by slug']
const targets: Target[] = Object.entries(PATHS).flatMap(([name, route]) => [
  { name: `bare ${name}`, url: bareUrl + route, expect: 200 },
  { name, url: url + route, headers, expect: 200 }
])
const shared = process.env.REDIS_URL !== undefined
if (shared) targets.push({ name: 'bare by slug and one Redis call', url: `${bareUrl}/redis${slug}`, expect: 200 })
targets.push({
  name: '304 by ETag',
  url: url + slug,
  headers: { ...headers, 'if-none-match': bodies[slug]!.etag },
  expect: 304
})

const rates = await inTurn(targets, { rounds: ROUNDS, connections: CONNECTIONS, seconds: SECONDS })
const base = rates.get('bare by slug')!
console.log(
  `${ROUNDS} rounds of ${SECONDS} s in turn, ${CONNECTIONS} connections, medians. a = bare Fastify, ${Buffer.byteLength(bodies[slug]!.text)} bytes: ${base.toFixed(0)}/s\n`
)
console.log('| read | bytes | requests/s | ÷ bare with the same bytes | ÷ a |\n| --- | ---: | ---: | ---: | ---: |')
for (const [name, route] of [...Object.entries(PATHS), ['304 by ETag', slug] as const]) {
  const rate = rates.get(name)!
  const own = rates.get(`bare ${name}`)
  console.log(
    `| ${name} | ${name.startsWith('304') ? 0 : Buffer.byteLength(bodies[route]!.text)} | ${rate.toFixed(0)} | ${own === undefined ? '–' : (rate / own).toFixed(2)} | ${(rate / base).toFixed(2)} |`
  )
}
if (shared) {
  console.log(
    `\nBare by slug with one Redis call: ${(rates.get('bare by slug and one Redis call')! / base).toFixed(2)} a`
  )
}
product.kill()
bare.kill()
