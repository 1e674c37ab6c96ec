import { createHmac } from 'node:crypto'
import { existsSync } from 'node:fs'
import path from 'node:path'
import t, { type Test } from 'tap'
import { newestSequence, type ListEvents } from '../../../../bin/svc/listening/pull-events.ts'
import type { Event } from '../../../../schemas/event.ts'
import { sessionToken, temporaryFolder } from '../../../helper.ts'
import { scaled, testEmbedded } from '../../../profile.ts'
import { startProgram, startServer, startSvc, createSvc, type RunningServer } from '../../../processes.ts'
import { freePort } from '../../../servers/index.ts'

const ALLOWED = { OUTBOUND_ALLOW: '127.0.0.1' }
const listen = async (t: Test, dataDir: string, ...args: string[]) =>
  await startSvc(t, dataDir, ['webhooks', 'listen', '--account', 'acme', ...args], scaled ? ALLOWED : {})

/**
 * One that takes deliveries. Where the workers are other processes it takes an address by which
 * they reach this machine.
 */
async function receive(t: Test, dataDir: string, { port, args = [] }: { port?: string; args?: string[] } = {}) {
  const own = port ?? (scaled ? String(await freePort()) : '0')
  return await listen(t, dataDir, '--port', own, ...(scaled ? ['--url', `http://127.0.0.1:${own}/`] : []), ...args)
}
const READY = scaled ? /This machine reaches it\.\n/ : /The server reaches it\.\n/
const PULLING = /Pulling .* number (\d+)/

/** A signed-in person of acme on a server, and blogs that are published by a key of theirs. */
async function acme(server: RunningServer) {
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

t.test('where the server may post to this machine', async (t) => {
  const data = temporaryFolder(t)
  const server = await startServer(t, data, ALLOWED)
  const { webhooks, publish } = await acme(server)

  t.test(
    'every delivery is shown as it comes with its signature checked, and the webhook is deleted at the end',
    async (t) => {
      const listening = await receive(t, data)
      const [, id] = (await listening.waitForOutput(
        /Listening on http:\/\/127\.0\.0\.1:\d+\/(?: as \S+)? for the account acme; Ctrl-C ends it and deletes the webhook (\S+)\.\n/
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
    }
  )

  t.test('with --json each event is one line of JSON; only those that were asked for come', async (t) => {
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

  t.test('a request that is not signed by the server is refused, and shown as such', async (t) => {
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
      'longer than any event'
    )
    await publish('Third words')
    await listening.waitForOutput(/third-words.*\n/)
    t.equal(json(listening.out()).length, 2, 'the ping and the blog')
    t.match(listening.err(), /the signature is wrong/)
    listening.kill('SIGTERM')
    t.equal(await listening.ended, 0)
  })

  t.test('what a command that was killed left registered is replaced by the next one on that port', async (t) => {
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
    t.match(second.err(), /Port \d+ cannot be had/)
    t.notMatch(second.err(), /\n +at /)
    next.kill('SIGTERM')
    t.equal(await next.ended, 0)
    t.strictSame(await webhooks(), [])
  })

  t.test('when nobody reads its output any more it ends and clears up', async (t) => {
    const listening = await receive(t, data)
    await listening.waitForOutput(READY)
    listening.closeOutput()
    await publish('Fourth words')
    t.equal(await listening.ended, 0)
    t.strictSame(await webhooks(), [])
  })

  t.test(
    'a public address is registered in place of this machine’s, and one that is refused is told with exit code 1',
    async (t) => {
      const listening = await listen(t, data, '--url', 'https://tunnel.example/hook')
      await listening.waitForOutput(/as https:\/\/tunnel\.example\/hook/)
      t.match(await webhooks(), [{ url: 'https://tunnel.example/hook' }])
      await listening.waitForOutput(scaled ? /This machine does not reach it: / : /The server does not reach it: /)
      listening.kill('SIGINT')
      t.equal(await listening.ended, 0)
      const refused = await listen(t, data, '--url', 'https://10.0.0.1/hook')
      t.equal(await refused.ended, 1)
      t.match(refused.err(), /may not be sent to this address/)
      t.notMatch(refused.err(), /\n +at |Pulling/)
      t.strictSame(await webhooks(), [])
    }
  )

  // Where the command is a process of the service itself, it needs no server for that.
  if (!scaled) {
    t.test('a webhook that could not be deleted is named', async (t) => {
      const listening = await receive(t, data)
      await listening.waitForOutput(READY)
      const { id } = (await webhooks())[0]!
      await server.end('SIGTERM')
      listening.kill('SIGINT')
      t.equal(await listening.ended, 1)
      t.match(listening.err(), new RegExp(`The webhook ${id} is still registered`))
      t.notMatch(listening.err(), /\n +at /)
    })
  }
})

t.test('where the server may not post to this machine', async (t) => {
  const data = temporaryFolder(t)
  const server = await startServer(t, data)
  const { webhooks, publish, erase } = await acme(server)

  t.test('it is told how to allow it, and new events are pulled meanwhile', async (t) => {
    for (const title of ['Old one', 'Old two', 'Old three']) await publish(title)
    const all = await listen(t, data)
    const [, after] = (await all.waitForOutput(PULLING)) as unknown as [string, string]
    t.equal(after, '3')
    t.match(
      all.err(),
      scaled ? /posted by the workers.* --url an address/ : /Start it with OUTBOUND_ALLOW=127\.0\.0\.1 /
    )
    t.strictSame(await webhooks(), [])
    const some = await listen(t, data, '--json', '--events', 'blog.deleted')
    await some.waitForOutput(PULLING)
    const id = await publish('New one')
    await all.waitForOutput(/^\d\d:\d\d:\d\d {2}blog\.published +#4 +new-one$/m)
    t.notMatch(all.out(), /old-|✓/)
    await erase(id)
    await some.waitForOutput(/new-one.*\n/)
    t.match(json(some.out()), [{ type: 'blog.deleted', sequence: 5 }], 'a type that was not asked for is not shown')
    if (!scaled) {
      await server.end('SIGTERM')
      await all.waitForOutput(/The server does not answer/)
    }
    for (const each of [all, some]) each.kill('SIGTERM')
    t.equal(await all.ended, 0)
    t.equal(await some.ended, 0)
  })
})

for (const allowed of [true, false]) {
  t.test(
    `--forward posts events on, ${allowed ? 'as they are delivered' : 'as they are pulled'}, signed with a secret that stays the same`,
    async (t) => {
      const data = temporaryFolder(t)
      const server = await startServer(t, data, allowed ? ALLOWED : {})
      const { publish } = await acme(server)
      const ready = allowed ? READY : PULLING
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
      await first.waitForOutput(/→ #1 not taken: /)
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
      t.strictSame(json(receiver.out()), json(second.out()), 'the receiver has what was shown')
      second.kill('SIGTERM')
      t.equal(await second.ended, 0)
    }
  )
}

if (scaled) {
  t.test('while no worker posts deliveries the command says so, and shows them when one was started', async (t) => {
    const data = temporaryFolder(t)
    const split = { ...ALLOWED, PUBLIC_URL: 'https://content.example' }
    const { publish } = await acme(await startServer(t, data, { ...split, ROLE: 'api' }))
    const listening = await receive(t, data)
    await listening.waitForOutput(READY)
    await publish('Patient words')
    await listening.waitForOutput(
      /^waiting: there are new events, and no worker that posts them; start one with ROLE=worker npm start$/m
    )
    t.notMatch(listening.out(), /patient-words/)
    await startServer(t, data, { ...split, ROLE: 'worker' })
    await listening.waitForOutput(/#1 .*patient-words$/m)
    listening.kill('SIGINT')
    t.equal(await listening.ended, 0)
  })
}

testEmbedded('without a running server nothing is opened and nothing made', async (t) => {
  const data = path.join(temporaryFolder(t), 'never-made')
  const { code, out, err } = await createSvc(data)('webhooks', 'listen')
  t.equal(code, 1)
  t.equal(out, '')
  t.match(err, /No server is running/)
  t.notMatch(err, /\n +at /)
  t.notOk(existsSync(data))
})

t.test('a wrong call is told with exit code 2', async (t) => {
  const svc = createSvc(temporaryFolder(t))
  for (const [args, sentence] of [
    [['--port', 'many'], /--port/],
    [['--port', '65536'], /--port/],
    [['--events', 'blog.published,post.made'], /"post\.made"; there are products\.optimized/],
    [['--events', ''], /--events/],
    [['--forward', 'localhost:3001'], /--forward/]
  ] as const) {
    const { code, err } = await svc('webhooks', 'listen', ...args)
    t.equal(code, 2, args.join(' '))
    t.match(err, sentence)
  }
})

t.test('the newest event is found in few requests, however many there are and whichever are gone', async (t) => {
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
    t.equal(await newestSequence(list), newest)
    t.ok(requests <= 2 * Math.log2(newest + 2) + 2, `${requests} requests for ${newest}`)
  }
})
