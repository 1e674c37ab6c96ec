import { readFile } from 'node:fs/promises'
import t from 'tap'
import { startApp } from '../helper.ts'

const app = await startApp(t, { DEMO_CONTENT: 'off' })
const { body: page, headers } = await app.inject('/docs/api')
const modules = /data-modules="([^"]+)"/.exec(page)![1]!
const policyOf = (value: unknown) =>
  new Map(
    String(value)
      .split('; ')
      .map((rule) => [rule.split(' ')[0]!, rule.split(' ').slice(1)])
  )

t.test('the API reference runs its own scripts only, and its styles have a new nonce each time', async (t) => {
  const policy = policyOf(headers['content-security-policy'])
  t.strictSame(policy.get('default-src'), ["'none'"])
  t.strictSame(policy.get('script-src'), ["'self'"])
  t.strictSame(policy.get('connect-src'), ["'self'"])
  t.notMatch(page, /<script(?![^>]* src=)|\son\w+=|\sstyle="/, 'no inline scripts and styles')
  const nonce = /property="csp-nonce" content="([^"]+)"/.exec(page)![1]!
  t.ok(policy.get('style-src')!.includes(`'nonce-${nonce}'`))
  t.equal(headers['cache-control'], 'no-store')
  t.notOk((await app.inject('/docs/api')).body.includes(nonce))
})

t.test('the page names the plain page for readers without scripts', async (t) => {
  t.match(page, /<noscript>.*href="\/docs\/api\/plain"/s)
  t.equal((await app.inject('/docs/api/plain')).statusCode, 200)
})

t.test('the modules are sent compressed, and may be cached for good', async (t) => {
  const url = `${modules}/standalone.esm.js`
  const plain = await app.inject(url)
  t.equal(plain.statusCode, 200)
  t.match(plain.headers['content-type'], /javascript/)
  t.match(plain.headers['cache-control'], /immutable/)
  const compressed = await app.inject({ url, headers: { 'accept-encoding': 'gzip' } })
  t.equal(compressed.headers['content-encoding'], 'gzip')
  t.match(compressed.headers.vary, /Accept-Encoding/i)
  t.not(compressed.headers.etag, plain.headers.etag)
  t.ok(compressed.rawPayload.length < plain.rawPayload.length / 3)
  const current = await app.inject({ url, headers: { 'if-none-match': String(compressed.headers.etag) } })
  t.equal(current.statusCode, 304)
})

t.test('only the modules of the reference are served', async (t) => {
  for (const name of [
    'standalone.esm.js.map',
    'standalone.js',
    '..%2f..%2fpackage.json',
    'chunks/',
    'chunks/none.js'
  ]) {
    t.equal((await app.inject(`${modules}/${name}`)).statusCode, 404, name)
  }
})

t.test('the package of the reference is installed without its dependencies, which its modules contain', async (t) => {
  const { packages } = JSON.parse(await readFile('package-lock.json', 'utf8')) as {
    packages: Record<string, { name?: string; dependencies?: Record<string, string> }>
  }
  const { dependencies = {} } = packages['node_modules/@scalar/api-reference']!
  const installed = Object.keys(dependencies).filter((name) => {
    const { name: alias } =
      packages[`node_modules/@scalar/api-reference/node_modules/${name}`] ?? packages[`node_modules/${name}`] ?? {}
    return alias !== 'empty-npm-package'
  })
  t.ok(Object.keys(dependencies).length > 0)
  t.strictSame(installed, [], 'replace them in the overrides of package.json')
})
