import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { cpSync, statSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import t, { type Test } from 'tap'
import { readResponses, createContent, createClient } from '../../fixtures/transfer/content.ts'
import { eventually, openReceiver } from '../../fixtures/webhooks/receiver.ts'
import { temporaryFolder } from '../../helper.ts'
import { createSvc, serve, startServer } from '../../processes.ts'

const SVC = path.resolve(import.meta.dirname, '../../../bin/svc.ts')
const SECRETS_KEY = randomBytes(32).toString('base64')
/** A data folder, in all profiles. */
const EMBEDDED = { MONGODB_URL: '', REDIS_URL: '', SECRETS_KEY }
const OPEN = { OUTBOUND_ALLOW: '127.0.0.1', LOG_LEVEL: 'error' }

/** A data folder with records of every kind, and the responses of its server, which has stopped. */
async function fill() {
  const folder = temporaryFolder(t)
  const svc = createSvc(folder, EMBEDDED)
  const key = (await svc('keys', 'create', '--name', 'Mine', '--account', 'acme')).out.trim()
  await svc('account', 'set-limits', 'acme', '--requests-per-hour', '100000')
  const receiver = await openReceiver(t)
  const server = await serve(t, folder, { ...EMBEDDED, ...OPEN })
  const here = createClient(server.url, key)
  const content = await createContent(here, receiver.url, (webhook) => {
    receiver.knows(webhook.secret)
  })
  await eventually(
    () => receiver.received.some(({ event }) => event === 'products.import.completed'),
    'the import is done'
  )
  await eventually(
    () =>
      new Set(
        receiver.received.flatMap(({ event, envelope }) =>
          event === 'products.optimized'
            ? (envelope.data.products as { external_id: string }[]).map((product) => product.external_id)
            : []
        )
      ).size === 67,
    'all products are published'
  )
  await eventually(async () => {
    const { deliveries } = JSON.parse(
      (await here.withSession('GET', `/api/webhooks/${content.webhook.id}/deliveries?pageSize=100`)).bytes.toString()
    )
    return deliveries.every(({ status }: { status: string }) => status === 'delivered')
  }, 'all deliveries are recorded')
  await server.stop()
  // State that the server saves when it stops is visible only after the next start.
  const again = await serve(t, folder, { ...EMBEDDED, ...OPEN })
  const answers = await readResponses(createClient(again.url, key), content)
  await again.stop()
  t.same(receiver.refused, [])
  return { folder, key, content, answers, receiver }
}

const made = fill()

/** A copy of the filled folder. */
async function filled(t: Test) {
  const all = await made
  const folder = temporaryFolder(t)
  cpSync(all.folder, folder, { recursive: true })
  return { ...all, folder, svc: createSvc(folder, EMBEDDED) }
}

const exportTo = async (t: Test, svc: ReturnType<typeof createSvc>, ...options: string[]) => {
  const file = path.join(temporaryFolder(t), 'everything.ndjson')
  const { code, err } = await svc('export', file, ...options)
  t.equal(code, 0, err)
  return file
}

/** The lines of an export without the header and the end, which depend on the time. */
const linesOf = async (file: string) => (await readFile(file, 'utf8')).trimEnd().split('\n').slice(1, -1)

t.test(
  'moves all data to another store and back: responses, keys and webhook signatures stay the same',
  { timeout: 240_000 },
  async (t) => {
    const { svc, key, content, answers, receiver } = await filled(t)
    const file = await exportTo(t, svc)
    const there = temporaryFolder(t)
    const env = { SECRETS_KEY }
    const taken = await createSvc(there, env)('import', file)
    t.equal(taken.code, 0, taken.err)
    t.match(
      taken.out,
      new RegExp(
        [
          '^Imported 2 accounts, 1 project, 1 key, 3 blogs, 1 deleted blog, 1 revision, 1 image, 67 products,',
          '1 import, 4 failed rows, \\d+ events, 1 webhook, \\d+ deliveries, 1 idempotent response, .*\\d+ files\\.\n$'
        ].join(' ')
      )
    )
    t.notMatch(taken.err, /rotate-key/)

    const server = await serve(t, there, { ...env, ...OPEN })
    const speaks = createClient(server.url, key)
    const moved = await readResponses(speaks, content)
    for (const [what, answer] of Object.entries(answers)) t.same(moved[what], answer, what)
    t.equal(
      (
        await speaks.withKey(
          'POST',
          '/api/v1/products',
          { projectId: 'site', externalId: 'once', title: 'Once' },
          { 'idempotency-key': 'moving-house-once-1' }
        )
      ).bytes.toString(),
      content.answered,
      'the idempotency key is still known'
    )
    const before = receiver.received.length
    await speaks.withKey('PATCH', `/api/v1/blogs/${content.moved.id}`, { title: 'Teapots and pots' })
    await eventually(() => receiver.received.length > before, 'an event arrives, signed with the old secret')
    t.same(receiver.refused, [])
    t.equal(
      receiver.received.at(-1)?.envelope.sequence,
      Math.max(...receiver.received.slice(0, before).map(({ envelope }) => envelope.sequence)) + 1,
      'sequence numbers continue'
    )
    await server.stop()

    const back = temporaryFolder(t)
    const [from, to] = [await exportTo(t, createSvc(there, env)), createSvc(back, EMBEDDED)]
    t.equal((await to('import', from)).code, 0)
    const [first, second] = [await linesOf(from), await linesOf(await exportTo(t, to))]
    t.same(
      second.map((line) => JSON.parse(line)),
      first.map((line) => JSON.parse(line)),
      'the second export equals the first'
    )
    const home = await serve(t, back, { ...EMBEDDED, ...OPEN })
    t.equal(
      JSON.parse((await createClient(home.url, key).withKey('GET', '/api/v1/blogs/tea-pots')).bytes.toString()).title,
      'Teapots and pots'
    )
  }
)

t.test('rejects an incomplete export and stores nothing of it', { timeout: 120_000 }, async (t) => {
  const { svc } = await filled(t)
  const file = await exportTo(t, svc)
  const half = path.join(temporaryFolder(t), 'half.ndjson')
  await writeFile(half, (await readFile(file)).subarray(0, statSync(file).size - 200))
  const to = createSvc(temporaryFolder(t), EMBEDDED)
  const { code, err } = await to('import', half)
  t.equal(code, 1)
  t.match(err, /^The export is (not complete|damaged)/)
  t.notMatch(err, /\n +at /)
  t.equal((await to('import', file)).code, 0, 'the store is still empty and accepts the complete export')
})

t.test(
  'rejects signing secrets of another SECRETS_KEY with two solutions, and both keep the signatures valid',
  { timeout: 240_000 },
  async (t) => {
    const { svc, receiver, content, key } = await filled(t)
    const NEW = randomBytes(32).toString('base64')
    const encrypted = await exportTo(t, svc)
    t.notOk((await readFile(encrypted, 'utf8')).includes(content.webhook.secret))
    const strange = temporaryFolder(t)
    const refused = await createSvc(strange, { ...EMBEDDED, SECRETS_KEY: NEW })('import', encrypted)
    t.equal(refused.code, 1)
    t.match(refused.err, /SECRETS_KEY that is not configured.*Nothing was imported.*secrets\/key.*--with-secrets/s)

    const signs = async (folder: string, env: Record<string, string>) => {
      const server = await serve(t, folder, { ...EMBEDDED, ...OPEN, ...env })
      const before = receiver.received.length
      await createClient(server.url, key).withKey('PATCH', `/api/v1/blogs/${content.first.id}`, {
        title: `Kettles ${before}`
      })
      await eventually(() => receiver.received.length > before || receiver.refused.length > 0, 'an event comes')
      await server.stop()
      return receiver.refused.length === 0
    }
    const both = createSvc(strange, { ...EMBEDDED, SECRETS_KEY: `${NEW},${SECRETS_KEY}` })
    const taken = await both('import', encrypted)
    t.equal(taken.code, 0, taken.err)
    t.match(taken.err, /Run "svc secrets rotate-key"/)
    t.equal(
      (await both('secrets', 'rotate-key')).out,
      '1 webhook: 1 secret re-encrypted. All secrets use the first SECRETS_KEY; the other keys can be removed.\n'
    )
    t.match((await both('secrets', 'rotate-key', '--json')).out, /"reencrypted":0/)
    t.ok(await signs(strange, { SECRETS_KEY: NEW }), 'the old key can be removed')

    const readable = await exportTo(t, svc, '--with-secrets')
    t.ok((await readFile(readable, 'utf8')).includes(content.webhook.secret))
    t.equal(statSync(readable).mode & 0o777, 0o600)
    const fresh = temporaryFolder(t)
    const into = createSvc(fresh, { ...EMBEDDED, SECRETS_KEY: NEW })
    t.equal((await into('import', readable)).code, 0)
    t.match(
      (await into('import', readable, '--into-existing')).out,
      /^Imported nothing\.\nAlready present: .*1 webhook/,
      'new ciphertext is not a conflict'
    )
    t.notOk(
      (await readFile(path.join(fresh, 'store.db'))).includes(content.webhook.secret),
      'the secret is not stored in plain text'
    )
    t.ok(await signs(fresh, { SECRETS_KEY: NEW }))
  }
)

t.test('reports secrets that no key decrypts and leaves them unchanged', { timeout: 120_000 }, async (t) => {
  const { folder, content } = await filled(t)
  const other = createSvc(folder, { ...EMBEDDED, SECRETS_KEY: randomBytes(32).toString('base64') })
  t.match(await other('secrets', 'rotate-key'), { code: 1, err: /run "svc secrets accept-key"/ })
  t.equal((await other('secrets', 'accept-key')).code, 0)
  const { code, out } = await other('secrets', 'rotate-key')
  t.equal(code, 1)
  t.match(out, /0 secrets re-encrypted\. 1 secret cannot be decrypted with any key/)
  const file = path.join(folder, 'x.ndjson')
  const refused = await other('export', file, '--with-secrets')
  t.equal(refused.code, 1)
  t.match(refused.err, new RegExp(`webhook ${content.webhook.id} cannot be decrypted with any key`))
  t.throws(() => statSync(file), 'no partial export is left')
})

t.test(
  'rejects a store that is in use or not empty; --into-existing leaves existing data unchanged',
  { timeout: 240_000 },
  async (t) => {
    const { svc, folder, key, content } = await filled(t)
    const file = await exportTo(t, svc)
    const there = temporaryFolder(t)
    const to = createSvc(there, EMBEDDED)
    const theirs = (await to('keys', 'create', '--name', 'Theirs', '--account', 'zeta')).out.trim()

    const notEmpty = await to('import', file)
    t.equal(notEmpty.code, 1)
    t.match(notEmpty.err, /not empty.*--into-existing/)
    const server = await startServer(t, folder, { ...EMBEDDED, ...OPEN })
    const inUse = await svc('import', file)
    t.equal(inUse.code, 1)
    t.match(inUse.err, /in use by another process/)
    const live = await exportTo(t, svc)
    t.same(
      (await linesOf(live)).filter((line) => line.startsWith('{"kind":"blog"')),
      (await linesOf(file)).filter((line) => line.startsWith('{"kind":"blog"')),
      'a running server makes the export'
    )
    await server.end('SIGTERM')

    const beside = await to('import', file, '--into-existing')
    t.equal(beside.code, 0, beside.err)
    const both = await serve(t, there, { ...EMBEDDED, ...OPEN })
    t.equal((await createClient(both.url, key).withKey('GET', `/api/v1/blogs/${content.first.slug}`)).status, 200)
    t.equal((await createClient(both.url, theirs).withKey('GET', '/api/v1/blogs')).status, 200)
    await createClient(both.url, key).withSession('PATCH', '/api/projects/site', { name: 'Another name' })
    await both.stop()
    const inTheWay = await to('import', file, '--into-existing')
    t.equal(inTheWay.code, 1)
    t.match(inTheWay.err, /conflicts with existing data:\n {2}project acme site\n/)
    t.equal(
      (
        await serve(t, there, { ...EMBEDDED, ...OPEN }).then(async ({ url }) =>
          JSON.parse((await createClient(url, key).withSession('GET', '/api/projects')).bytes.toString())
        )
      ).projects[0].name,
      'Another name'
    )
  }
)

t.test('exports to stdout and imports from stdin', { timeout: 120_000 }, async (t) => {
  const { svc } = await filled(t)
  const { code, out } = await svc('export')
  t.equal(code, 0)
  const there = temporaryFolder(t)
  const piped = spawnSync(process.execPath, [SVC, 'import'], {
    env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE, ...EMBEDDED, DATA_DIR: there },
    input: out,
    encoding: 'utf8'
  })
  t.equal(piped.status, 0, piped.stderr)
  t.same(
    (await createSvc(there, EMBEDDED)('export')).out.trimEnd().split('\n').slice(1, -1),
    out.trimEnd().split('\n').slice(1, -1)
  )
})
