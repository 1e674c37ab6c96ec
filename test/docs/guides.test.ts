import { createHmac } from 'node:crypto'
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import t from 'tap'
import { GUIDES } from '../../routes/docs/pages/guide-list.ts'
import { longDate } from '../fixtures/examples/dates.ts'
import { client, person, publish, startApp, temporaryFolder } from '../helper.ts'
import { startProgram } from '../processes.ts'
import { freePort } from '../servers/index.ts'

const app = await startApp(t, { DEMO_CONTENT: 'off' })
const ROOT = path.resolve(import.meta.dirname, '../..')
const read = async (url: string) => await app.inject(url)
const idsOf = (body: string) => [...body.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id!)

t.test('every guide is served with a title, and the index links to all of them', async (t) => {
  const index = await read('/docs')
  for (const { name, file, summary } of GUIDES) {
    const { statusCode, body } = await read(`/docs/${name}`)
    t.equal(statusCode, 200, name)
    const [, title] = /^# (.+)$/m.exec(readFileSync(path.join(ROOT, file), 'utf8'))!
    t.ok(body.includes(`<title>${title}</title>`), `${name}: ${title}`)
    t.ok(
      index.body.includes(`<a href="/docs/${name}">${title}</a><p>${summary}</p>`),
      `the index links to ${name} and describes it`
    )
  }
})

t.test('the index describes each guide in one short sentence', async (t) => {
  for (const { name, summary } of GUIDES) {
    t.match(summary, /^[A-Z][^`*[\]]{15,90}[^.]\.$/, name)
    t.notMatch(summary, /[.!?] /, name)
  }
})

t.test('the examples, the clients, security and the glossary are served', async (t) => {
  const names = GUIDES.map(({ name }) => name)
  for (const name of ['astro', 'demo', 'next', 'php', 'receivers'].map((folder) => `examples/${folder}`)) {
    t.ok(names.includes(name), name)
  }
  for (const name of ['clients/typescript', 'security', 'glossary']) t.ok(names.includes(name), name)
  const { body } = await read('/docs/clients')
  for (const name of ['examples/next', 'examples/astro', 'examples/php', 'examples/receivers', 'clients/typescript']) {
    t.match(body, `<a href="/docs/${name}">`)
  }
})

t.test('every link and image of a guide has a target', async (t) => {
  for (const name of ['', ...GUIDES.map((guide) => `/${guide.name}`)]) {
    const { body } = await read(`/docs${name}`)
    const ids = idsOf(body)
    t.equal(new Set(ids).size, ids.length, `${name}: ids are unique`)
    const links = [...body.matchAll(/(?:href|src)="([^"]*)"/g)].map(([, link]) => link!)
    t.strictSame(
      links.filter((link) => /\.md|^\.|^$/.test(link)),
      [],
      `${name}: no link into the repository`
    )
    for (const link of new Set(links.filter((link) => link.startsWith('/docs') || link.startsWith('#')))) {
      const [target, anchor] = link.split('#')
      const page = target === '' ? { statusCode: 200, body } : await read(target!)
      t.equal(page.statusCode, 200, `${name}: ${link}`)
      if (anchor) t.ok(idsOf(page.body).includes(anchor), `${name}: ${link}`)
    }
  }
})

t.test('each cell of a table has the heading of its column, which narrow screens show', async (t) => {
  const { body } = await read('/docs/operating')
  t.match(body, /<td data-label="stay embedded while">[^<]+<\/td>\s*<td data-label="use scaled when">/)
})

t.test('a link to a document that is not served shows the path of the document', async (t) => {
  const { body } = await read('/docs/clients')
  t.match(body, 'configuration <code>clients/python/config.yml</code>')
  t.match(
    (await read('/docs/operating')).body,
    /<td[^>]*>bench\/README.md<\/td>/,
    'a text that is the path is not repeated'
  )
})

t.test('without the folders of the examples, as in the container image, links show their paths', async (t) => {
  const folder = temporaryFolder(t)
  for (const name of ['docs', 'lib', 'routes/docs', 'examples/demo/README.md']) {
    cpSync(path.join(ROOT, name), path.join(folder, name), { recursive: true })
  }
  symlinkSync(path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules'))
  const load = async (name: string) => await import(path.join(folder, 'routes/docs/pages', name))
  const { GUIDES: installed } = (await load('guide-list.ts')) as typeof import('../../routes/docs/pages/guide-list.ts')
  const { renderGuide, renderGuideIndex } = (await load(
    'guides.ts'
  )) as typeof import('../../routes/docs/pages/guides.ts')
  const guide = installed.find(({ name }) => name === 'clients')!
  t.match(await renderGuide(guide), />Astro <code>examples\/astro\/README.md<\/code><\/td>/)
  const index = await renderGuideIndex()
  t.match(index, 'href="/docs/examples/demo"')
  t.notMatch(index, 'href="/docs/examples/astro"')
})

t.test('other documents of the repository are not served', async (t) => {
  for (const name of ['architecture', 'decisions/0001-', 'images/../architecture.md', 'images/nothing.png']) {
    t.equal((await read(`/docs/${name}`)).statusCode, 404, name)
  }
})

t.test('the site of the first guide shows posts, follows renames and passes feeds on', async (t) => {
  const text = readFileSync(path.join(ROOT, 'docs/guides/blog-on-your-site.md'), 'utf8')
  const [, program] = /^```js\n([\s\S]*?)^```$/m.exec(text)!
  const [, projectId] = /PROJECT = '([^']+)'/.exec(program!)!
  const file = path.join(temporaryFolder(t), 'site.mjs')
  writeFileSync(file, program!)

  const service = await startApp(t, { DEMO_CONTENT: 'off', PORT: '0' })
  await service.listen({ host: '127.0.0.1', port: 0 })
  const call = await client(service)
  const owner = await person(service, 'acme')
  await owner('POST', '/api/projects', { id: projectId, siteUrl: 'https://my-site.example', blogPath: '/journal' })
  const post = { projectId, category: 'Tea', markdown: 'Water & leaves.\n\n## Time\n\nThree minutes.' }
  const { id, publishedAt } = await publish(call, { ...post, title: 'Green <tea>' })
  await publish(call, { ...post, title: 'Black tea', locale: 'ar' })
  t.equal((await call('PATCH', `/api/v1/blogs/${id}`, { slug: 'green' })).statusCode, 200)

  const port = await freePort()
  const running = startProgram(t, [file], { SVC_URL: service.publicUrl, SVC_KEY: call.key, PORT: String(port) })
  await running.waitForOutput(/http:\/\/localhost:\d+\/journal\n/)
  const visit = async (target: string) => {
    const response = await fetch(`http://127.0.0.1:${port}${target}`, { redirect: 'manual' })
    return { status: response.status, location: response.headers.get('location'), body: await response.text() }
  }
  t.match((await visit('/journal')).body, /<a href="\/journal\/green">Green &#60;tea&#62;<\/a>/)
  for (const time of ['first', 'cached']) {
    const { status, body } = await visit('/journal/green')
    t.equal(status, 200, time)
    t.match(body, /<title>Green &#60;tea&#62;<\/title>/)
    t.match(body, /<link rel="canonical" href="[^"]+">/)
    t.match(body, `>${longDate(publishedAt, 'en')}</time>`)
    t.match(body, /<div class="svc-blog"[^>]*>\s*<p>Water &amp; leaves\.<\/p>/)
    const [, jsonLd] = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(body)!
    t.match(JSON.parse(jsonLd!), { '@context': 'https://schema.org' })
  }
  t.match((await visit('/journal/black-tea')).body, /<html lang="ar" dir="rtl">/)
  t.match(await visit('/journal/green-tea'), { status: 308, location: '/journal/green' })
  t.match((await visit('/journal/feed.xml')).body, /^<\?xml[\s\S]*<title>Green &lt;tea&gt;<\/title>/)
  t.equal((await visit('/journal/nothing')).status, 404)
  t.equal((await visit('/journal?page=x')).status, 404)
  t.equal((await call('DELETE', `/api/v1/blogs/${id}`)).statusCode, 204)
  t.equal((await visit('/journal/green')).status, 410)
})

t.test('the receiver of the guide accepts signed events, once each, and rejects others', async (t) => {
  const text = readFileSync(path.join(ROOT, 'docs/guides/receive-webhooks.md'), 'utf8')
  const [, program] = /^```js\n([\s\S]*?)^```$/m.exec(text)!
  const file = path.join(temporaryFolder(t), 'receiver.mjs')
  writeFileSync(file, program!)

  const service = await startApp(t, { DEMO_CONTENT: 'off', OUTBOUND_ALLOW: '127.0.0.1/32' })
  const owner = await person(service, 'acme')
  const call = await client(service)
  const port = await freePort()
  const registered = await owner('POST', '/api/webhooks', {
    url: `http://127.0.0.1:${port}/`,
    events: ['products.optimized']
  })
  const { id, secret } = registered.json()
  const running = startProgram(t, [file], { WEBHOOK_SECRET: secret, PORT: String(port) })
  await running.waitForOutput(/Listening on port/)
  t.match((await owner('POST', `/api/webhooks/${id}/test`)).json(), {
    delivered: true,
    status: 200,
    response: '{"received":true}'
  })
  await call('POST', '/api/v1/products', { projectId: 'shop', externalId: 'A-1', title: 'Oak chair' })
  await running.waitForOutput(/^A-1 Oak chair/m)
  const post = async (body: string, signature: string) =>
    (await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body, headers: { 'x-svc-signature': signature } }))
      .status
  const sign = (body: string) => `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`
  const event = JSON.stringify({ id: 'e1', type: 'blog.published', data: { slug: 'tea' } })
  t.equal(await post(event, sign(event)), 200)
  t.equal(await post(event, sign(event)), 200, 'again')
  t.equal(await post(`${event} `, sign(event)), 401)
  t.equal(await post(event, sign(event).slice(7)), 401, 'without the prefix')
  t.equal(await post('x'.repeat(1_000_001), sign('x')), 413)
  const broken = JSON.stringify({ id: 'e2', type: 'products.optimized', data: {} })
  t.equal(await post(broken, sign(broken)), 500, 'an event that is not handled is sent again')
  t.equal(running.out().match(/blog\.published/g)?.length, 1, 'each event is handled once')
})
