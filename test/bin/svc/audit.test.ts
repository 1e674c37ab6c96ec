import t from 'tap'
import { client, startApp, temporaryFolder } from '../../helper.ts'
import { createSvc, serve } from '../../processes.ts'

t.test('shows who changed what, as lines or as JSON, with filters', async (t) => {
  const data = temporaryFolder(t)
  const svc = createSvc(data)
  const app = await startApp(t, { DATA_DIR: data, PORT: '0', DEMO_CONTENT: 'off' })
  await app.listen({ host: '127.0.0.1', port: 0 })
  t.equal((await svc('audit', '--account', 'acme')).out, 'No entries.\n')
  t.equal((await svc('keys', 'create', '--name', 'Website', '--account', 'acme')).code, 0)
  const shop = await client(app, 'acme', { name: 'Shop' })
  for (let n = 0; n < 120; n++) {
    const created = await shop('POST', '/api/v1/products', {
      projectId: 'shop',
      externalId: `p${n}`,
      title: `Cup ${n}`
    })
    t.equal(created.statusCode, 201)
  }
  const lines = async (...args: string[]): Promise<string[]> => {
    const { out, err, code } = await svc('audit', '--account', 'acme', ...args)
    t.equal(code, 0, err)
    return out.trimEnd().split('\n')
  }
  const newest = await lines()
  t.equal(newest.length, 50)
  t.strictSame(newest[0]!.split(/ {2,}/).slice(1), [
    'product.created',
    'product Cup 119',
    '(projectId, externalId, title)',
    `by key Shop ${shop.key.slice(0, 11)}…${shop.key.slice(-4)}`,
    '127.0.0.1'
  ])
  t.equal((await lines('--limit', 'all')).length, 121, 'of several pages')
  t.equal((await lines('--limit', '101')).length, 101)
  t.match(await lines('--action', 'key.created'), [/key\.created +key Website {2}\(name\) {2}by admin svc/])
  t.equal((await lines('--actor', shop.keyId, '--limit', '3')).length, 3)
  t.strictSame(await lines('--since', '2999-01-01'), ['No entries.'])
  const { entries } = JSON.parse((await svc('audit', '--account', 'acme', '--json', '--limit', '2')).out)
  t.match(entries, [{ target: { label: 'Cup 119' } }, { target: { label: 'Cup 118' } }])
  t.strictSame(JSON.parse((await svc('audit', '--account', 'other', '--json')).out), { entries: [] })
})

t.test('stored texts cannot control the terminal', async (t) => {
  const data = temporaryFolder(t)
  const svc = createSvc(data)
  const app = await startApp(t, { DATA_DIR: data, PORT: '0', DEMO_CONTENT: 'off' })
  await app.listen({ host: '127.0.0.1', port: 0 })
  const name = 'evil\u001b]0;title\u0007\u001b[2J\u001b[8m\u009b2K\u202eback'
  const call = await client(app, 'acme', { name })
  await call('POST', '/api/v1/products', { projectId: 'shop', externalId: 'p1', title: 'Cup' })
  for (const args of [
    ['audit', '--account', 'acme'],
    ['keys', 'list', '--account', 'acme']
  ]) {
    const { out } = await svc(...args)
    t.match(out, /evil\]0;title\[2J\[8m2Kback/, args.join(' '))
    t.notMatch(out, /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/, args.join(' '))
    const json = (await svc(...args, '--json')).out
    t.notMatch(json, /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/)
    t.ok(JSON.stringify(JSON.parse(json)).includes(JSON.stringify(name).slice(1, -1)), 'unchanged in JSON')
  }
})

t.test('wrong options are named', async (t) => {
  const data = temporaryFolder(t)
  const svc = createSvc(data)
  await serve(t, data)
  for (const args of [
    ['--limit', '0'],
    ['--limit', 'many'],
    ['--since', 'yesterday']
  ]) {
    const { code, err } = await svc('audit', ...args)
    t.equal(code, 2)
    t.match(err, args[0])
  }
  const unknown = await svc('audit', '--action', 'key.lost')
  t.equal(unknown.code, 1)
  t.match(unknown.err, /action must be one of/)
})
