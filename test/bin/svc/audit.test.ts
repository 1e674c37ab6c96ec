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
    await shop('POST', '/api/v1/products', { projectId: 'shop', externalId: `p${n}`, title: `Cup ${n}` })
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
