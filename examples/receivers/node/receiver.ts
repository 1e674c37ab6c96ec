// WEBHOOK_SECRET=whsec_… node receiver.ts
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { env } from 'node:process'
import { verifyStandard } from './verify-standard.ts'
import { verifySignature } from './verify.ts'

interface Event {
  id?: string
  type: string
  sequence: number
  data: Record<string, unknown>
}

const { WEBHOOK_SECRET: secret = '', WEBHOOK_STRICT: strict, PORT = '3001', SEEN_DIR = 'seen-events' } = env
/** An event has at most 256 KiB; nothing longer is read. */
const MOST_BYTES = 1024 * 1024

/**
 * What your website does with an event. When it throws, the answer is 500, and the event comes
 * again.
 */
async function handle(event: Event): Promise<void> {
  console.log(JSON.stringify(event))
}

function isGenuine(body: Buffer, given: IncomingMessage['headers']): boolean {
  const headers = given as Record<string, string>
  return (
    verifySignature(body, headers['x-svc-signature'], secret) &&
    (strict !== '1' || verifyStandard(body, headers, secret))
  )
}

async function answer(request: IncomingMessage): Promise<[number, object]> {
  if (request.method !== 'POST') return [405, { error: 'POST only' }]
  const body = await readBody(request)
  if (body === null) return [413, { error: 'too large' }]
  if (!isGenuine(body, request.headers)) return [401, { error: 'bad signature' }]
  await handleInTurn(JSON.parse(body.toString()) as Event)
  return [200, { received: true }]
}

/** The raw bytes: text that was parsed and written again has another signature. */
async function readBody(request: IncomingMessage): Promise<Buffer | null> {
  if (Number(request.headers['content-length']) > MOST_BYTES) return null
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > MOST_BYTES) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/**
 * An event may come more than once, always with the same id. It is noted when it has been handled,
 * so that a crash loses none.
 */
async function handleOnce(event: Event): Promise<void> {
  const seen = path.join(SEEN_DIR, createHash('sha256').update(String(event.id)).digest('hex'))
  if (event.id !== undefined && existsSync(seen)) return
  await handle(event)
  if (event.id !== undefined) writeFileSync(seen, '')
}

let last = Promise.resolve()
/** One at a time, so that the same event twice at once is handled once. */
function handleInTurn(event: Event): Promise<void> {
  const mine = last.then(() => handleOnce(event))
  last = mine.catch(() => {})
  return mine
}

if (secret === '') {
  throw new Error('WEBHOOK_SECRET is not set: the secret that was shown when the webhook was registered.')
}
mkdirSync(SEEN_DIR, { recursive: true })
const server = createServer((request, response) => {
  answer(request)
    .catch((error: unknown): [number, object] => {
      console.error(error)
      return [500, { error: 'not handled' }]
    })
    .then(([status, body]) => {
      // What was not read to its end cannot be followed by another request.
      if (!request.complete) response.setHeader('connection', 'close')
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    })
})
server.listen(Number(PORT), '127.0.0.1', () => {
  console.error(`Listening on http://127.0.0.1:${(server.address() as AddressInfo).port}`)
})
