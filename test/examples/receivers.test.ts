import { spawn, spawnSync } from 'node:child_process'
import { createHmac, randomBytes, randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import http from 'node:http'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { headerNames, requestHeaders } from '../../services/webhooks/signing.ts'
import { toSigningSecret } from '../../services/webhooks/signing.ts'
import { temporaryFolder } from '../helper.ts'

const FOLDER = path.resolve(import.meta.dirname, '../../examples/receivers')
const MAX_LINES = 15
const LONGEST_MS = 60_000

interface Language {
  name: string
  program: string
  args: string[]
  verifiers: string[]
}
const LANGUAGES: Language[] = [
  {
    name: 'Node',
    program: process.execPath,
    args: ['node/receiver.ts'],
    verifiers: ['node/verify.ts', 'node/verify-standard.ts']
  },
  {
    name: 'Python',
    program: 'python3',
    args: ['python/receiver.py'],
    verifiers: ['python/verify.py', 'python/verify_standard.py']
  },
  {
    name: 'PHP',
    program: 'php',
    args: ['-S', '127.0.0.1:0', 'php/receiver.php'],
    verifiers: ['php/verify.php', 'php/verify-standard.php']
  }
]

/** Why the language cannot be tested here. In CI every language is required. */
function missing({ program }: Language): string | false {
  if (process.env.CI === 'true' || spawnSync(program, ['--version']).status === 0) return false
  return `${program} is not installed here, so its receiver is NOT tested (apt-get install php-cli python3)`
}

const SECRET = `whsec_${randomBytes(32).toString('base64')}`
const anEvent = (more: object = {}) =>
  JSON.stringify({
    id: randomUUID(),
    type: 'products.optimized',
    apiVersion: '2026-11-01',
    timestamp: new Date().toISOString(),
    sequence: 1,
    data: { products: [{ external_id: 'Ä-1 “quoted”', handle: 'a-1' }] },
    ...more
  })

/** Both signatures, computed as documented. */
const ours = (body: string | Buffer, secret = SECRET) =>
  `sha256=${createHmac('sha256', Buffer.from(secret, 'utf8')).update(body).digest('hex')}`
const nowSeconds = () => Math.floor(Date.now() / 1000)
function standard(
  body: string,
  { id = 'msg_1', seconds = nowSeconds(), secret = SECRET } = {}
): Record<string, string> {
  const digest = createHmac('sha256', Buffer.from(secret.slice(6), 'base64'))
    .update(`${id}.${seconds}.${body}`)
    .digest('base64')
  return { 'webhook-id': id, 'webhook-timestamp': String(seconds), 'webhook-signature': `v1,${digest}` }
}

interface Receiver {
  post: (body: string | Buffer, headers?: Record<string, string | number>) => Promise<{ status: number; text: string }>
  /**
   * Waits until the receiver has handled this number of events, and returns them. Its output may
   * arrive after its response.
   */
  handled: (atLeast: number) => Promise<Array<Record<string, unknown>>>
}

/** Starts the receiver as a process. Resolves when the receiver listens. */
async function start(t: Test, { program, args }: Language, env: Record<string, string> = {}): Promise<Receiver> {
  const child = spawn(program, args, {
    cwd: FOLDER,
    env: {
      PATH: process.env.PATH,
      PORT: '0',
      PYTHONDONTWRITEBYTECODE: '1',
      WEBHOOK_SECRET: SECRET,
      SEEN_DIR: temporaryFolder(t),
      ...env
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: LONGEST_MS,
    killSignal: 'SIGKILL'
  })
  t.teardown(() => child.kill('SIGKILL'))
  let out = ''
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    out += chunk
  })
  const url = await new Promise<string>((resolve, reject) => {
    let err = ''
    child.on('error', reject).on('exit', (code) => {
      reject(new Error(`The receiver ended with ${code}: ${err}`))
    })
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      err += chunk
      const address = /http:\/\/127\.0\.0\.1:\d+/.exec(err)?.[0]
      if (address !== undefined) resolve(address)
    })
  })
  const post: Receiver['post'] = (body, headers = {}) =>
    new Promise((resolve, reject) => {
      const request = http.request(
        `${url}/hooks/content`,
        {
          method: 'POST',
          agent: false,
          headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body), ...headers }
        },
        (response) => {
          text(response).then((answer) => {
            resolve({ status: response.statusCode!, text: answer })
          }, reject)
        }
      )
      request.on('error', reject).end(Buffer.from(body))
    })
  const lines = () => out.split('\n').slice(0, -1)
  return {
    post,
    handled: async (atLeast) => {
      while (lines().length < atLeast && child.exitCode === null && child.signalCode === null) await wait(10)
      return lines().map((line) => JSON.parse(line))
    }
  }
}

const signed = (body: string | Buffer, more: Record<string, string> = {}) => ({
  'x-svc-event': 'products.optimized',
  'x-svc-signature': ours(body),
  ...more
})

for (const language of LANGUAGES) {
  const skip = missing(language)

  t.test(`the ${language.name} verifiers have at most ${MAX_LINES} lines each`, async (t) => {
    for (const file of language.verifiers) {
      const lines = readFileSync(path.join(FOLDER, file), 'utf8').trimEnd().split('\n').length
      t.ok(lines <= MAX_LINES, `${file} has ${lines}`)
    }
  })

  t.test(`the ${language.name} receiver accepts only signed events`, { skip }, async (t) => {
    const receiver = await start(t, language)
    const body = anEvent()
    const good = await receiver.post(body, signed(body))
    t.equal(good.status, 200)
    t.strictSame(JSON.parse(good.text), { received: true })
    t.strictSame(await receiver.handled(1), [JSON.parse(body)])

    const hex = ours(body).slice('sha256='.length)
    const refused: Record<string, Record<string, string>> = {
      'no signature': {},
      'an empty signature': { 'x-svc-signature': '' },
      'the prefix is missing': { 'x-svc-signature': hex },
      'another prefix': { 'x-svc-signature': `sha1=${hex}` },
      'the digest is cut short': { 'x-svc-signature': `sha256=${hex.slice(0, -2)}` },
      'the digest is too long': { 'x-svc-signature': `sha256=${hex}00` },
      'one digit is another': { 'x-svc-signature': `sha256=${hex.slice(0, -1)}${hex.endsWith('0') ? '1' : '0'}` },
      'another secret': { 'x-svc-signature': ours(body, `whsec_${randomBytes(32).toString('base64')}`) },
      'the secret without whsec_': { 'x-svc-signature': ours(body, SECRET.slice(6)) },
      'letters beyond ASCII': { 'x-svc-signature': `sha256=${hex.slice(0, -2)}ÿé` }
    }
    for (const [what, headers] of Object.entries(refused)) {
      const again = anEvent()
      // Each signature belongs to another body, or the body was changed.
      t.equal((await receiver.post(body, headers)).status, 401, what)
      t.equal(
        (
          await receiver.post(again, {
            ...signed(again),
            ...headers,
            ...(headers['x-svc-signature'] === undefined ? { 'x-svc-signature': ours(body) } : {})
          })
        ).status,
        401,
        `${what}, of another body`
      )
    }
    for (const tampered of [
      `${body} `,
      body.replace('a-1', 'a-2'),
      body.normalize('NFD').replace('quoted', 'Quoted'),
      ''
    ]) {
      t.equal((await receiver.post(tampered, signed(body))).status, 401, 'the body was changed')
    }
    const last = anEvent({ sequence: 2 })
    t.equal((await receiver.post(last, signed(last))).status, 200)
    t.strictSame(await receiver.handled(2), [JSON.parse(body), JSON.parse(last)], 'no rejected event is handled')
  })

  t.test(`the ${language.name} receiver handles a repeated event once, also after a restart`, { skip }, async (t) => {
    const seen = { SEEN_DIR: path.join(temporaryFolder(t), 'made', 'by-itself') }
    const first = await start(t, language, seen)
    const [body, other] = [anEvent(), anEvent({ sequence: 2 })]
    for (const each of [body, body, other]) t.equal((await first.post(each, signed(each))).status, 200)
    t.strictSame(await first.handled(2), [JSON.parse(body), JSON.parse(other)])
    const second = await start(t, language, seen)
    const third = anEvent({ sequence: 3 })
    for (const each of [body, third]) t.equal((await second.post(each, signed(each))).status, 200)
    t.strictSame(await second.handled(1), [JSON.parse(third)])
  })

  t.test(`the ${language.name} receiver limits the size of a message`, { skip }, async (t) => {
    const receiver = await start(t, language)
    const large = anEvent({ data: { text: 'x'.repeat(250 * 1024) } })
    t.equal((await receiver.post(large, signed(large))).status, 200)
    const longer = Buffer.alloc(1024 * 1024 + 1, ' ')
    const answer = await receiver
      .post(longer, signed(longer))
      .catch((error: Error) => ({ status: 413, text: error.message }))
    t.equal(answer.status, 413, 'or the connection is closed before the end of the body')
    const next = anEvent()
    t.equal((await receiver.post(next, signed(next))).status, 200, 'the receiver still works')
    t.strictSame(await receiver.handled(2), [JSON.parse(large), JSON.parse(next)])
  })

  t.test(
    `the ${language.name} receiver responds 500 to an event it cannot handle, so that it is retried`,
    { skip },
    async (t) => {
      const receiver = await start(t, language)
      t.equal((await receiver.post('no JSON', signed('no JSON'))).status, 500)
      const next = anEvent()
      t.equal((await receiver.post(next, signed(next))).status, 200)
    }
  )

  t.test(`the strict ${language.name} receiver rejects replays`, { skip }, async (t) => {
    const receiver = await start(t, language, { WEBHOOK_STRICT: '1' })
    const post = async (headers: (body: string) => Record<string, string>) => {
      const body = anEvent()
      return (await receiver.post(body, { ...signed(body), ...headers(body) })).status
    }
    const other = `whsec_${randomBytes(32).toString('base64')}`
    t.equal(await post((body) => standard(body)), 200)
    t.equal(await post((body) => standard(body, { seconds: nowSeconds() - 240 })), 200, 'four minutes old')
    t.equal(await post((body) => standard(body, { seconds: nowSeconds() + 240 })), 200, 'a clock four minutes ahead')
    for (const order of [
      [other, SECRET],
      [SECRET, other]
    ]) {
      const both = (body: string) => ({
        ...standard(body),
        'webhook-signature': order.map((secret) => standard(body, { secret })['webhook-signature']).join(' ')
      })
      t.equal(await post(both), 200, 'one of two signatures during a rotation')
    }
    t.equal(await post(() => ({})), 401, 'none of the three headers')
    t.equal(await post((body) => standard(body, { seconds: nowSeconds() - 400 })), 401, 'a replay')
    t.equal(await post((body) => standard(body, { seconds: nowSeconds() + 400 })), 401, 'from the future')
    t.equal(
      await post((body) => ({
        ...standard(body, { seconds: nowSeconds() - 400 }),
        'webhook-timestamp': String(nowSeconds())
      })),
      401,
      'a replay with another time'
    )
    t.equal(await post((body) => ({ ...standard(body), 'webhook-id': 'msg_2' })), 401, 'another id')
    t.equal(await post((body) => standard(body, { secret: other })), 401, 'another secret')
    t.equal(
      await post((body) => ({ ...standard(body), 'webhook-signature': standard(body)['webhook-signature']!.slice(3) })),
      401,
      'no version'
    )
    t.equal(
      await post((body) => ({
        ...standard(body),
        'webhook-signature': standard(body)['webhook-signature']!.replace('v1,', 'v2,')
      })),
      401,
      'another version'
    )
    t.equal(await post((body) => standard(body, { id: '' })), 401, 'an empty id with a valid signature')
    for (const missing of ['webhook-id', 'webhook-timestamp', 'webhook-signature']) {
      t.equal(await post((body) => ({ ...standard(body), [missing]: '' })), 401, `an empty ${missing}`)
    }
    for (const time of ['soon', '1e9', ' ', '99999999999999999999', '-1', '²']) {
      t.equal(await post((body) => ({ ...standard(body), 'webhook-timestamp': time })), 401, `the time ${time}`)
    }
    t.equal(await post((body) => standard(body)), 200)
    t.equal((await receiver.handled(6)).length, 6)
  })

  t.test(`the ${language.name} receiver accepts the signatures of this service`, { skip }, async (t) => {
    const receiver = await start(t, language, { WEBHOOK_STRICT: '1' })
    const [secret, next] = [
      toSigningSecret('1', SECRET),
      toSigningSecret('2', `whsec_${randomBytes(32).toString('base64')}`)
    ]
    const sendSigned = async (by: typeof secret) => {
      const body = Buffer.from(anEvent())
      const { sent } = requestHeaders(
        headerNames('svc'),
        { eventId: randomUUID(), deliveryId: randomUUID(), type: 'products.optimized', body, attempt: 1 },
        { by, all: [secret, next] }
      )
      return (await receiver.post(body, sent)).status
    }
    t.equal(await sendSigned(secret), 200)
    t.equal(await sendSigned(next), 401, 'signed with an unknown secret')
    t.equal((await receiver.handled(1)).length, 1)
  })
}
