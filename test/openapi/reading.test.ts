import { Ajv2020 } from 'ajv/dist/2020.js'
import t from 'tap'
import { formats } from '../../schemas/formats.ts'
import { client, person, publish, startApp } from '../helper.ts'
import { answersOf, operationsOf } from './operations.ts'

const app = await startApp(t, { DEMO_CONTENT: 'off' })

t.test('the document is readable from any origin and supports conditional requests', async (t) => {
  const first = await app.inject('/openapi.json')
  t.equal(first.statusCode, 200)
  t.strictSame(first.json(), JSON.parse(JSON.stringify(await app.openApiDocument())))
  t.match(first.headers, {
    'content-type': /^application\/json/,
    'access-control-allow-origin': '*',
    'cache-control': 'public, max-age=300',
    'x-ratelimit-limit': /^\d+$/
  })
  const second = await app.inject({ url: '/openapi.json', headers: { 'if-none-match': String(first.headers.etag) } })
  t.equal(second.statusCode, 304)
  t.equal(second.body, '')
  t.equal((await app.inject({ method: 'HEAD', url: '/openapi.json' })).statusCode, 200)
})

t.test('the server of the document is the public URL of the service', async (t) => {
  const elsewhere = await startApp(t, { DEMO_CONTENT: 'off', PUBLIC_URL: 'https://content.harbor-coffee.example/' })
  const { servers } = await elsewhere.openApiDocument()
  t.strictSame(
    servers.map(({ url }) => url),
    ['https://content.harbor-coffee.example']
  )
})

t.test('a document read before the service listens does not cache the wrong port', async (t) => {
  const free = await startApp(t, { DEMO_CONTENT: 'off', PORT: '0' })
  t.equal((await free.openApiDocument()).servers[0]?.url, 'http://127.0.0.1:0')
  await free.listen({ host: '127.0.0.1', port: 0 })
  t.equal((await free.openApiDocument()).servers[0]?.url, free.publicUrl)
  t.equal((await free.inject('/docs/errors/busy')).body.includes(`${free.publicUrl}/docs/errors/busy`), true)
})

t.test('other requests are served while the document is created', async (t) => {
  const fresh = await startApp(t, { DEMO_CONTENT: 'off' })
  let turns = 0
  let isCreated = false
  const countTurns = () => {
    turns += 1
    if (!isCreated) setImmediate(countTurns)
  }
  setImmediate(countTurns)
  await fresh.openApiDocument()
  isCreated = true
  t.ok(turns >= 4, `turns of the event loop: ${turns}`)
})

t.test('responses and their headers match the document', async (t) => {
  const document = await app.openApiDocument()
  const ajv = new Ajv2020({
    strict: false,
    allErrors: true,
    formats: { ...formats, uri: formats['http-url']!, 'uri-reference': true }
  })
  ajv.addSchema({ $id: 'https://interface.example/', components: document.components })
  const call = await client(app)
  const signedIn = await person(app, call.account, { role: 'admin' })
  const put = await signedIn('POST', '/api/projects', {
    id: 'site',
    name: 'Harbor Coffee',
    siteUrl: 'https://harbor-coffee.example'
  })
  t.equal(put.statusCode, 201)
  const blog = await publish(call, { title: 'Brewing better coffee', category: 'Brewing' })
  await publish(call, { title: 'Roasting better coffee', category: 'Roasting' })

  let read = 0
  const values: Record<string, string> = { slug: blog.slug, blogId: blog.id, accountId: call.account }
  for (const { title, path, method, operation } of operationsOf(document)) {
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!)
    const answers = new Map(answersOf(document, operation))
    const [type, media] = Object.entries(answers.get('200')?.content ?? {})[0] ?? []
    if (
      method !== 'get' ||
      type === undefined ||
      names.some((name) => values[name] === undefined) ||
      (operation.parameters ?? []).some((one) => 'required' in one && one.required === true && one.in === 'query')
    ) {
      continue
    }
    const url = path.replace(/\{(\w+)\}/g, (_all, name: string) => values[name]!)
    const answer = await ('ApiKeyHeader' in (operation.security?.[0] ?? {}) ? call : signedIn)('GET', url)
    t.equal(answer.statusCode, 200, title)
    t.equal(String(answer.headers['content-type']).split(';')[0], type, `${title}: type`)
    t.strictSame(
      Object.keys(answers.get('200')!.headers!).filter(
        // Sent only if records were left out, or if several projects have the slug.
        (name) =>
          !['X-Omitted-Records', 'Slug-Also-In'].includes(name) && answer.headers[name.toLowerCase()] === undefined
      ),
      [],
      `${title}: headers`
    )
    const validate = ajv.compile(
      JSON.parse(
        JSON.stringify(media!.schema).replaceAll('"#/components/', '"https://interface.example/#/components/')
      ) as object
    )
    validate(type.includes('json') && !type.includes('ndjson') ? answer.json() : answer.body)
    t.strictSame(validate.errors ?? [], [], `${title}: body`)
    read += 1
  }
  t.ok(read >= 15, 'most reads were tried')
})
