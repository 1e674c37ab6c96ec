import { once } from 'node:events'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import http from 'node:http'
import path from 'node:path'
import t, { type Test } from 'tap'
import { temporaryFolder } from '../helper.ts'
import { small, testEmbedded } from '../profile.ts'
import { runProgram, startServer, createSvc } from '../processes.ts'

const BLOGS = '/api/v1/blogs'
const CREATES = small ? 300 : 1000
const CONNECTIONS = 8
/** The server is killed when so many were answered. */
const KILL_AFTER = small ? 120 : 400

interface Answer {
  status: number
  body: string
}

/**
 * Sends a request over a new or reused connection. Rejects if the response is incomplete.
 */
function send(
  agent: http.Agent,
  url: string,
  { method = 'GET', key, body }: { method?: string; key: string; body?: object }
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = http.request(
      url,
      {
        method,
        agent,
        headers: { 'x-api-key': key, ...(body === undefined ? {} : { 'content-type': 'application/json' }) }
      },
      (response) => {
        let text = ''
        response.setEncoding('utf8').on('data', (chunk: string) => {
          text += chunk
        })
        response.on('end', () => {
          resolve({ status: response.statusCode!, body: text })
        })
        response.on('error', reject)
      }
    )
    request.on('error', reject)
    request.end(body === undefined ? undefined : JSON.stringify(body))
  })
}

async function writer(data: string): Promise<string> {
  const svc = createSvc(data)
  const { out, code, err } = await svc('keys', 'create', '--name', 'Writer', '--account', 'acme')
  if (code !== 0) throw new Error(err)
  await svc('account', 'set-limits', 'acme', '--requests-per-hour', '1000000')
  return out.trim()
}

t.test(`every acknowledged blog of ${CREATES.toLocaleString('en')} survives a killed server`, async (t) => {
  const data = temporaryFolder(t)
  const key = await writer(data)
  const server = await startServer(t, data)
  const agent = new http.Agent({ keepAlive: true, maxSockets: CONNECTIONS })
  const answered = new Map<string, number>()
  let lost = 0
  let next = 0
  const killed = Promise.withResolvers<void>()
  const textOf = (n: number) => `Blog number ${n}. ${`Sentence ${n} of it. `.repeat(40)}`

  async function work(): Promise<void> {
    while (next < CREATES) {
      const n = next++
      try {
        const { status, body } = await send(agent, server.url + BLOGS, {
          method: 'POST',
          key,
          body: { projectId: 'site', title: `Blog ${n}`, slug: `blog-${n}`, markdown: textOf(n), status: 'published' }
        })
        if (status === 201) answered.set(JSON.parse(body).slug, n)
        else lost++
      } catch {
        lost++ // The connection broke, so the blog was not acknowledged.
      }
      if (answered.size === KILL_AFTER) killed.resolve()
    }
  }
  const working = Promise.all(Array.from({ length: CONNECTIONS }, work))
  await killed.promise
  t.match(await server.end('SIGKILL'), { signal: 'SIGKILL' })
  await working
  agent.destroy()
  t.ok(answered.size >= KILL_AFTER && lost > 0, `${answered.size} were answered, ${lost} were not`)

  const again = await startServer(t, data)
  const reader = new http.Agent({ keepAlive: true, maxSockets: CONNECTIONS })
  t.teardown(() => {
    reader.destroy()
  })
  const wrong: string[] = []
  const read = async (slug: string, n: number) => {
    const { status, body } = await send(reader, `${again.url}${BLOGS}/${slug}`, { key })
    const blog = status === 200 ? JSON.parse(body) : {}
    if (
      status !== 200 ||
      blog.title !== `Blog ${n}` ||
      !blog.htmlContent.includes(textOf(n).trim()) ||
      !blog.cssContent.includes('.svc-blog') ||
      JSON.parse(blog.schemaOrgJson)['@graph'][0].headline !== `Blog ${n}`
    ) {
      wrong.push(`${slug}: ${status}`)
    }
  }
  for (const [slug, n] of answered) await read(slug, n)
  t.same(wrong, [])

  const listed = new Set<string>()
  let totalCount = 0
  for (let page = 1; page === 1 || listed.size < totalCount; page++) {
    const list = JSON.parse(
      (await send(reader, `${again.url}${BLOGS}?status=any&pageSize=100&page=${page}`, { key })).body
    )
    totalCount = list.totalCount
    if (list.blogs.length === 0) break
    for (const { slug, title } of list.blogs) {
      listed.add(slug)
      await read(slug, Number(title.slice('Blog '.length)))
    }
  }
  t.same(wrong, [], 'what was being written when it was killed is there whole or not at all')
  t.equal(listed.size, totalCount)
  t.ok([...answered.keys()].every((slug) => listed.has(slug)))
  t.ok(totalCount <= answered.size + CONNECTIONS, 'only what was on its way can be there besides')
  t.equal(
    (
      await send(reader, `${again.url}${BLOGS}`, {
        method: 'POST',
        key,
        body: { projectId: 'site', title: 'After', markdown: 'x' }
      })
    ).status,
    201,
    'and it goes on'
  )
})

t.test('on SIGTERM, the server completes running requests and exits with 0', async (t) => {
  const data = temporaryFolder(t)
  const key = await writer(data)
  const server = await startServer(t, data)
  // A request whose body comes to its end only after the signal.
  const body = JSON.stringify({ projectId: 'site', title: 'In flight', markdown: 'Words.', status: 'published' })
  const request = http.request(server.url + BLOGS, {
    method: 'POST',
    headers: {
      'x-api-key': key,
      'content-type': 'application/json',
      'content-length': body.length,
      expect: '100-continue'
    }
  })
  request.flushHeaders()
  await once(request, 'continue')
  request.write(body.slice(0, 20))
  const ended = server.end('SIGTERM')
  // The server has received the signal when it accepts no new connection.
  while (
    await fetch(`${server.url}/health/live`, { headers: { connection: 'close' } }).then(
      ({ ok }) => ok,
      () => false
    )
  );
  request.end(body.slice(20))
  const [response] = (await once(request, 'response')) as [http.IncomingMessage]
  t.equal(response.statusCode, 201)
  response.resume()
  t.same(await ended, { code: 0, signal: null })
  t.equal(server.err(), '')
  t.notOk(existsSync(path.join(data, 'server.json')), 'its note is taken away')
  const again = await startServer(t, data)
  t.equal((await fetch(`${again.url}${BLOGS}/in-flight`, { headers: { 'x-api-key': key } })).status, 200)
  t.same(await again.end('SIGINT'), { code: 0, signal: null }, 'Ctrl-C does the same')
})

/** One clear sentence or list, exit code 1, no stack trace. */
async function refusesToStart(t: Test, env: Record<string, string>, sentences: RegExp[]): Promise<void> {
  const { code, out, err } = await runProgram('server', [], { env: { PORT: '0', ...env } })
  t.equal(code, 1)
  t.equal(out, '')
  for (const sentence of sentences) t.match(err, sentence)
  t.notMatch(err, /\n +at |node:|Error:/)
  t.ok(err.split('\n').length <= 6, err)
}

t.test('a used port is reported with a solution', async (t) => {
  const server = await startServer(t, temporaryFolder(t))
  const { port } = new URL(server.url)
  await refusesToStart(t, { DATA_DIR: temporaryFolder(t), PORT: port }, [
    new RegExp(`127\\.0\\.0\\.1:${port} is already in use`),
    /PORT=/
  ])
  t.ok((await fetch(`${server.url}/health`)).ok, 'the server on the port is not affected')
})

testEmbedded('a data folder of another process is reported in one sentence', async (t) => {
  const data = temporaryFolder(t)
  const server = await startServer(t, data)
  await refusesToStart(t, { DATA_DIR: data }, [/in use by another process/])
  t.ok(existsSync(path.join(data, 'server.json')), 'the note of the one that runs stays')
  t.ok((await fetch(`${server.url}/health/ready`)).ok)
})

t.test('all invalid settings are reported together', async (t) => {
  await refusesToStart(t, { DATA_DIR: temporaryFolder(t), PORT: 'abc', DEFAULT_PLAN: 'gold' }, [
    /PORT must be integer/,
    /DEFAULT_PLAN.*starter, sage, samurai/,
    /docs\/configuration\.md/
  ])
  await refusesToStart(t, { DATA_DIR: temporaryFolder(t), ROLE: 'worker' }, [/MONGODB_URL and REDIS_URL/])
})

testEmbedded('an unusable data folder is reported in one sentence', async (t) => {
  const folder = temporaryFolder(t)
  writeFileSync(path.join(folder, 'a-file'), '')
  await refusesToStart(t, { DATA_DIR: path.join(folder, 'a-file') }, [/a-file/])
  await refusesToStart(t, { DATA_DIR: path.join(folder, 'a-file', 'data') }, [/a-file/])
  const damaged = temporaryFolder(t)
  const first = await startServer(t, damaged)
  await first.end('SIGTERM')
  rmSync(path.join(damaged, 'files'), { recursive: true, force: true })
  writeFileSync(path.join(damaged, 'files'), '')
  await refusesToStart(t, { DATA_DIR: damaged }, [/folder for files cannot be used/])
})

t.test('a read-only data folder is reported in one sentence', async (t) => {
  const folder = path.join(temporaryFolder(t), 'read-only')
  mkdirSync(folder, { mode: 0o500 })
  // The administrator may write everywhere but where there is nothing to write to.
  const closed = process.getuid?.() === 0 ? '/sys/read-only' : folder
  await refusesToStart(t, { DATA_DIR: closed }, [/read-only/])
})
