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
/** Larger requests get 413. Events have at most 256 KiB. */
const MAX_BYTES = 1024 * 1024

/** The work of your website. If it throws, the response is 500 and the event is delivered again. */
async function handle(event: Event): Promise<void> {
  console.log(JSON.stringify(event))
}

function isSigned(body: Buffer, received: IncomingMessage['headers']): boolean {
  const headers = received as Record<string, string>
  return (
    verifySignature(body, headers['x-svc-signature'], secret) &&
    (strict !== '1' || verifyStandard(body, headers, secret))
  )
}

async function respond(request: IncomingMessage): Promise<[number, object]> {
  if (request.method !== 'POST') return [405, { error: 'POST only' }]
  const body = await readBody(request)
  if (body === null) return [413, { error: 'too large' }]
  if (!isSigned(body, request.headers)) return [401, { error: 'bad signature' }]
  await handleSequentially(JSON.parse(body.toString()) as Event)
  return [200, { received: true }]
}

/** Reads the raw bytes that the signature covers; null if there are too many. */
async function readBody(request: IncomingMessage): Promise<Buffer | null> {
  if (Number(request.headers['content-length']) > MAX_BYTES) return null
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > MAX_BYTES) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/**
 * Skips an event that was handled before: deliveries can be repeated, with the same id. The id is
 * recorded after the work, so that a crash loses no event.
 */
async function handleOnce(event: Event): Promise<void> {
  const seen = path.join(SEEN_DIR, createHash('sha256').update(String(event.id)).digest('hex'))
  if (event.id !== undefined && existsSync(seen)) return
  await handle(event)
  if (event.id !== undefined) writeFileSync(seen, '')
}

let previous = Promise.resolve()
/** Handles one event at a time, so that concurrent repetitions are handled once. */
function handleSequentially(event: Event): Promise<void> {
  const current = previous.then(() => handleOnce(event))
  previous = current.catch(() => {})
  return current
}

if (secret === '') {
  throw new Error('Set WEBHOOK_SECRET to the secret of the webhook.')
}
mkdirSync(SEEN_DIR, { recursive: true })
const server = createServer((request, response) => {
  respond(request)
    .catch((error: unknown): [number, object] => {
      console.error(error)
      return [500, { error: 'not handled' }]
    })
    .then(([status, body]) => {
      // The connection cannot be reused while a part of the body is unread.
      if (!request.complete) response.setHeader('connection', 'close')
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    })
})
server.listen(Number(PORT), '127.0.0.1', () => {
  console.error(`Listening on http://127.0.0.1:${(server.address() as AddressInfo).port}`)
})
