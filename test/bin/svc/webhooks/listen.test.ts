import { createHmac } from 'node:crypto'
import { existsSync } from 'node:fs'
import path from 'node:path'
import t, { type Test } from 'tap'
import { findNewestSequence, type ListEvents } from '../../../../bin/svc/webhooks/events.ts'
import type { Event } from '../../../../schemas/event.ts'
import { sessionToken, temporaryFolder } from '../../../helper.ts'
import { scaled, testEmbedded } from '../../../profile.ts'
import { startProgram, createSvc, serve, startServer, startSvc } from '../../../processes.ts'
import { freePort } from '../../../servers/index.ts'

const ALLOWED = { OUTBOUND_ALLOW: '127.0.0.1' }
const listen = async (t: Test, dataDir: string, ...args: string[]) =>
  await startSvc(t, dataDir, ['webhooks', 'listen', '--account', 'acme', ...args], scaled ? ALLOWED : {})

/** A command that receives deliveries. Workers in other processes need an address of this machine. */
async function receive(t: Test, dataDir: string, { port, args = [] }: { port?: string; args?: string[] } = {}) {
  const own = port ?? (scaled ? String(await freePort()) : '0')
  return await listen(t, dataDir, '--port', own, ...(scaled ? ['--url', `http://127.0.0.1:${own}/`] : []), ...args)
}
const READY = scaled ? /This machine can reach this address\.\n/ : /The server can reach this address\.\n/
const POLLING = /Polling .* number (\d+)/

/** Session requests of the account acme, and blogs published with one of its keys. */
async function acme(server: { url: string }) {
  const person = async (method: string, target: string, body?: object) =>
    await fetch(`${server.url}${target}`, {
      method,
      headers: {
        authorization: `Bearer ${await sessionToken('acme')}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' })
      },
      body: body === undefined ? undefined : JSON.stringify(body)
    })
  const write = async (method: string, target: string, body?: object) => {
    const answer = await fetch(`${server.url}/api/v1/blogs${target}`, {
      method,
      headers: { 'x-api-key': key, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      body: body === undefined ? undefined : JSON.stringify(body)
    })
    if (!answer.ok) throw new Error(await answer.text())
    return answer
  }
  const { key } = (await (await person('POST', '/api/keys', { name: 'Writer' })).json()) as { key: string }
  return {
    webhooks: async () =>
      (
        (await (await person('GET', '/api/webhooks')).json()) as {
          webhooks: Array<{ id: string; url: string; events: string[] | null }>
        }
      ).webhooks,
    publish: async (title: string) =>
      (
        (await (
          await write('POST', '', { projectId: 'site', title, markdown: 'Words.', status: 'published' })
        ).json()) as { id: string }
      ).id,
    erase: async (id: string) => {
      await write('DELETE', `/${id}`)
    }
  }
}

const json = (lines: string): Array<Record<string, unknown>> =>
  lines
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line))

t.test('if the server may post to this machine', async (t) => {
  const data = temporaryFolder(t)
  const server = await serve(t, data, ALLOWED)
  const { webhooks, publish } = await acme(server)

  t.test('prints each delivery with its signature check, and deletes the webhook at the end', async (t) => {
    const listening = await receive(t, data)
    const [, id] = (await listening.waitForOutput(
      new RegExp(
        [
          'Listening on http://127\\.0\\.0\\.1:\\d+/(?: as \\S+)? for the account acme\\.',
          'Press Ctrl-C to stop and delete the webhook (\\S+)\\.\n'
        ].join(' ')
      )
    )) as unknown as [string, string]
    t.match(await webhooks(), [{ id, events: null }])
    await listening.waitForOutput(READY)
    await publish('First words')
    await listening.waitForOutput(/^\d\d:\d\d:\d\d {2}blog\.published +#1 +✓ signature {2}first-words$/m)
    t.match(listening.out(), /^\d\d:\d\d:\d\d {2}ping +#0 +✓ signature$/m)
    listening.kill('SIGINT')
    listening.kill('SIGINT')
    t.equal(await listening.ended, 0)
    t.strictSame(await webhooks(), [])
  })

  t.test('--json prints one line per event; --events selects the types', async (t) => {
    const listening = await receive(t, data, { args: ['--json', '--events', 'blog.deleted, blog.published'] })
    await listening.waitForOutput(READY)
    t.match(await webhooks(), [{ events: ['blog.deleted', 'blog.published'] }])
    await publish('Second words')
    await listening.waitForOutput(/second-words.*\n/)
    listening.kill('SIGTERM')
    t.equal(await listening.ended, 0)
    t.match(json(listening.out()), [
      { type: 'ping' },
      { id: String, type: 'blog.published', sequence: 1, data: { slug: 'second-words' } }
    ])
    t.strictSame(await webhooks(), [])
  })

  t.test('rejects and reports a request that the server did not sign', async (t) => {
    const listening = await receive(t, data, { args: ['--json'] })
    await listening.waitForOutput(READY)
    const { url } = (await webhooks())[0]!
    const body = '{"type":"blog.published","sequence":7,"data":{}}'
    const signature = `sha256=${createHmac('sha256', 'whsec_wrong').update(body).digest('hex')}`
    for (const headers of [{}, { 'x-svc-signature': signature }, { 'x-svc-signature': 'sha256=ÿ' }] as Array<
      Record<string, string>
    >) {
      t.equal((await fetch(url, { method: 'POST', body, headers })).status, 401)
    }
    t.equal((await fetch(url)).status, 400)
    t.equal(
      (await fetch(url, { method: 'POST', body: 'x'.repeat(300_000) }).catch(() => ({ status: 400 }))).status,
      400,
      'larger than any event'
    )
    await publish('Third words')
    await listening.waitForOutput(/third-words.*\n/)
    t.equal(json(listening.out()).length, 2, 'the ping and the blog')
    t.match(listening.err(), /the signature is wrong/)
    listening.kill('SIGTERM')
    t.equal(await listening.ended, 0)
  })

  t.test('replaces the webhook of a killed command on the same port', async (t) => {
    const killed = await receive(t, data)
    await killed.waitForOutput(READY)
    killed.kill('SIGKILL')
    await killed.ended
    const [left] = await webhooks()
    const next = await receive(t, data, { port: new URL(left!.url).port })
    await next.waitForOutput(READY)
    const now = await webhooks()
    t.match(now, [{ url: left!.url }])
    t.equal(now.length, 1)
    t.not(now[0]!.id, left!.id)
    const second = await receive(t, data, { port: new URL(left!.url).port })
    t.equal(await second.ended, 1)
    t.match(second.err(), /Cannot listen on port \d+: .* Choose another --port\./)
    t.notMatch(second.err(), /\n +at /)
    next.kill('SIGTERM')
    t.equal(await next.ended, 0)
    t.strictSame(await webhooks(), [])
  })

  t.test('stops and cleans up when its output is closed', async (t) => {
    const listening = await receive(t, data)
    await listening.waitForOutput(READY)
    listening.closeOutput()
    await publish('Fourth words')
    t.equal(await listening.ended, 0)
    t.strictSame(await webhooks(), [])
  })

  t.test('registers the address of --url; a refused address exits with 1', async (t) => {
    const listening = await listen(t, data, '--url', 'https://tunnel.example/hook')
    await listening.waitForOutput(/as https:\/\/tunnel\.example\/hook/)
    t.match(await webhooks(), [{ url: 'https://tunnel.example/hook' }])
    await listening.waitForOutput(
      scaled ? /This machine cannot reach this address: / : /The server cannot reach this address: /
    )
    listening.kill('SIGINT')
    t.equal(await listening.ended, 0)
    const refused = await listen(t, data, '--url', 'https://10.0.0.1/hook')
    t.equal(await refused.ended, 1)
    t.match(refused.err(), /^Webhook URL not allowed: /)
    t.notMatch(refused.err(), /\n +at |Polling/)
    t.strictSame(await webhooks(), [])
  })

  // With MongoDB and Redis the command deletes the webhook without the server.
  if (!scaled) {
    t.test('reports a webhook that could not be deleted', async (t) => {
      const listening = await receive(t, data)
      await listening.waitForOutput(READY)
      const { id } = (await webhooks())[0]!
      await server.stop()
      listening.kill('SIGINT')
      t.equal(await listening.ended, 1)
      t.match(listening.err(), new RegExp(`Could not delete the webhook ${id}; it is still registered`))
      t.notMatch(listening.err(), /\n +at /)
    })
  }
})

t.test('if the server may not post to this machine', async (t) => {
  const data = temporaryFolder(t)
  const server = await serve(t, data)
  const { webhooks, publish, erase } = await acme(server)

  t.test('explains how to allow deliveries and polls new events', async (t) => {
    for (const title of ['Old one', 'Old two', 'Old three']) await publish(title)
    const all = await listen(t, data)
    const [, after] = (await all.waitForOutput(POLLING)) as unknown as [string, string]
    t.equal(after, '3')
    t.match(
      all.err(),
      scaled
        ? /The workers post deliveries.* --url with an address/
        : /start the server with OUTBOUND_ALLOW=127\.0\.0\.1\./
    )
    t.strictSame(await webhooks(), [])
    const some = await listen(t, data, '--json', '--events', 'blog.deleted')
    await some.waitForOutput(POLLING)
    const id = await publish('New one')
    await all.waitForOutput(/^\d\d:\d\d:\d\d {2}blog\.published +#4 +new-one$/m)
    t.notMatch(all.out(), /old-|✓/)
    await erase(id)
    await some.waitForOutput(/new-one.*\n/)
    t.match(json(some.out()), [{ type: 'blog.deleted', sequence: 5 }], 'other types are not printed')
    if (!scaled) {
      await server.stop()
      await all.waitForOutput(/The server does not respond/)
    }
    for (const each of [all, some]) each.kill('SIGTERM')
    t.equal(await all.ended, 0)
    t.equal(await some.ended, 0)
  })
})

for (const allowed of [true, false]) {
  t.test(`--forward posts ${allowed ? 'delivered' : 'polled'} events, signed with a persistent secret`, async (t) => {
    const data = temporaryFolder(t)
    const server = await serve(t, data, allowed ? ALLOWED : {})
    const { publish } = await acme(server)
    const ready = allowed ? READY : POLLING
    const following = async (...args: string[]) =>
      allowed ? await receive(t, data, { args }) : await listen(t, data, ...args)
    // Nothing answers at port 1.
    const first = await following('--forward', 'http://127.0.0.1:1/')
    const [, secret] = (await first.waitForOutput(
      /Forwarding to http:\/\/127\.0\.0\.1:1\/, signed with the secret (whsec_\S+)\n/
    )) as unknown as [string, string]
    await first.waitForOutput(ready)
    await publish('Lost words')
    await first.waitForOutput(/lost-words/)
    await first.waitForOutput(/→ #1 failed: /)
    first.kill('SIGTERM')
    t.equal(await first.ended, 0)

    const receiver = startProgram(t, ['examples/receivers/node/receiver.ts'], {
      WEBHOOK_SECRET: secret,
      WEBHOOK_STRICT: '1',
      PORT: '0',
      SEEN_DIR: temporaryFolder(t)
    })
    const [address] = await receiver.waitForOutput(/http:\/\/127\.0\.0\.1:\d+/)
    const second = await following('--json', '--forward', `${address}/hook`)
    await second.waitForOutput(ready)
    await publish('Found words')
    await second.waitForOutput(/→ #\d+ 200 after \d+ ms/)
    await receiver.waitForOutput(/found-words.*\n/)
    await second.waitForOutput(/found-words.*\n/)
    t.strictSame(json(receiver.out()), json(second.out()), 'the receiver got the printed events')
    second.kill('SIGTERM')
    t.equal(await second.ended, 0)
  })
}

if (scaled) {
  t.test('reports a missing worker, and prints the deliveries when a worker is started', async (t) => {
    const data = temporaryFolder(t)
    const split = { ...ALLOWED, PUBLIC_URL: 'https://content.example' }
    const { publish } = await acme(await startServer(t, data, { ...split, ROLE: 'api' }))
    const listening = await receive(t, data)
    await listening.waitForOutput(READY)
    await publish('Patient words')
    await listening.waitForOutput(/^waiting: no worker delivers new events; start one with ROLE=worker npm start$/m)
    t.notMatch(listening.out(), /patient-words/)
    await startServer(t, data, { ...split, ROLE: 'worker' })
    await listening.waitForOutput(/#1 .*patient-words$/m)
    listening.kill('SIGINT')
    t.equal(await listening.ended, 0)
  })
}

testEmbedded('without a running server nothing is opened or created', async (t) => {
  const data = path.join(temporaryFolder(t), 'never-made')
  const { code, out, err } = await createSvc(data)('webhooks', 'listen')
  t.equal(code, 1)
  t.equal(out, '')
  t.match(err, /No server is running/)
  t.notMatch(err, /\n +at /)
  t.notOk(existsSync(data))
})

t.test('a usage error exits with 2', async (t) => {
  const svc = createSvc(temporaryFolder(t))
  for (const [args, sentence] of [
    [['--port', 'many'], /--port/],
    [['--port', '65536'], /--port/],
    [['--events', 'blog.published,post.made'], /Unknown event type "post\.made" .*Valid types: products\.optimized/],
    [['--events', ''], /--events/],
    [['--forward', 'localhost:3001'], /--forward/]
  ] as const) {
    const { code, err } = await svc('webhooks', 'listen', ...args)
    t.equal(code, 2, args.join(' '))
    t.match(err, sentence)
  }
})

t.test('finds the newest event in few requests, whatever the number of events and gaps', async (t) => {
  for (const sequences of [
    [],
    [1],
    [2],
    [5000],
    [1, 2, 3],
    [7, 8, 9, 1000],
    Array.from({ length: 999 }, (_, index) => index + 1),
    Array.from({ length: 100 }, (_, index) => 1_000_000 + 3 * index)
  ]) {
    let requests = 0
    const list: ListEvents = async (after, limit) => {
      requests++
      const events = sequences
        .filter((sequence) => sequence > after)
        .slice(0, limit)
        .map((sequence) => ({ sequence }) as Event)
      return { events, next: events.at(-1)?.sequence ?? after }
    }
    const newest = sequences.at(-1) ?? 0
    t.equal(await findNewestSequence(list), newest)
    t.ok(requests <= 2 * Math.log2(newest + 2) + 2, `${requests} requests for ${newest}`)
  }
})
