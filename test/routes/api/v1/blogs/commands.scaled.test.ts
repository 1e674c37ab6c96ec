import { setTimeout as wait } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { buildApp } from '../../../../../app.ts'
import { recordCommands } from '../../../../fixtures/mongodb/commands.ts'
import { appSettings, client, publish, temporaryFolder } from '../../../../helper.ts'
import { MONGODB_URL } from '../../../../profile.ts'
import { photograph } from '../../../../services/images/sample-images.ts'

/*
 * A round trip to the database is most of the time of a request that is not cached, so these numbers
 * must not grow. Queries of Redis are not counted: they are sent while the request is authenticated.
 */
const log = recordCommands()
/** While Redis answers late, epochs are unknown and nothing is cached. */
const MAX_ATTEMPTS = 5
const skip = MONGODB_URL === undefined ? { skip: 'TEST_MONGODB_URL is not set' } : {}

/** Checks the commands of an operation that may be repeated. */
async function sends(
  t: Test,
  operation: () => Promise<unknown>,
  expected: string[],
  message = 'commands'
): Promise<void> {
  let commands: string[] = []
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    commands = await log.during(operation)
    if (commands.length === expected.length) break
  }
  t.strictSame(commands, expected, message)
}

async function start(t: Test, folder: string) {
  const settings = await appSettings(folder)
  const app = await buildApp({
    ...settings,
    MONGODB_URL: `${settings.MONGODB_URL}?monitorCommands=true`,
    // No jobs run in this process.
    ROLE: 'api',
    PUBLIC_URL: 'https://content.example',
    BLOG_REVISIONS: '3'
  })
  t.teardown(() => app.close())
  return app
}

t.test('reads and changes of blogs need few commands to MongoDB', skip, async (t) => {
  const folder = temporaryFolder(t)
  const writer = await start(t, folder)
  const write = await client(writer)
  const blogs: Awaited<ReturnType<typeof publish>>[] = []
  for (let n = 0; n < 5; n++) blogs.push(await publish(write, { title: `Tea ${n}` }))
  for (const { slug } of blogs) t.equal((await write('GET', `/api/v1/blogs/${slug}`)).statusCode, 200)
  await writer.services.blogs.flushResponses()
  // Otherwise, the audit log would be written during one of the reads below.
  await writer.services.audit.flush()

  // A process without anything in memory.
  const app = await start(t, folder)
  let unique = 0
  const get = (url: string) => async () => {
    const separator = url.includes('?') ? '&' : '?'
    const headers = { 'x-api-key': write.key }
    const response = await app.inject({ url: `${url}${separator}unique=${unique++}`, headers })
    if (response.statusCode !== 200) throw new Error(response.body)
  }
  const { slug, id } = blogs[0]!

  await t.test('the first request reads the key with its account, the blog, and its project', async (t) => {
    t.strictSame(await log.during(get(`/api/v1/blogs/${slug}`)), ['aggregate api_keys', 'find blogs', 'find projects'])
  })
  await t.test('the second request of a key reads it under its epoch', async (t) => {
    t.strictSame(await log.during(get(`/api/v1/blogs/${slug}`)), ['aggregate api_keys', 'find blogs'])
  })
  await t.test('a read that is not cached takes one command', async (t) => {
    for (const address of [slug, id, blogs[1]!.slug]) {
      await sends(t, get(`/api/v1/blogs/${address}`), ['find blogs'])
    }
  })
  await t.test('a list takes two commands, and one after a cursor', async (t) => {
    const list = async (query: string): Promise<string> => {
      const response = await app.inject({ url: `/api/v1/blogs?${query}`, headers: { 'x-api-key': write.key } })
      if (response.statusCode !== 200) throw new Error(response.body)
      return response.json<{ nextCursor: string }>().nextCursor
    }
    // Other sizes are other lists, but have the same total.
    let pageSize = 1
    await sends(t, () => list(`pageSize=${pageSize++}&sort=title`), ['find blogs'], 'the total is known')
    const cursor = await list('pageSize=3')
    await sends(t, () => list(`pageSize=${pageSize++}&page=2`), ['find blogs', 'aggregate blogs'], 'ids, page')
    await sends(t, () => list(`pageSize=${pageSize++}&cursor=${cursor}`), ['find blogs'])
    let category = 0
    const inCategory = () => list(`category=none-${category++}`)
    await sends(t, inCategory, ['find blogs', 'find blogs'], 'stored counts with changes since then, page')
    const since = () => new Date(Date.UTC(2000, 0, 1, 0, 0, pageSize++)).toISOString()
    await sends(t, () => list(`publishedAfter=${since()}`), ['find blogs', 'aggregate blogs'], 'page, count')
    await sends(
      t,
      () => list(`publishedAfter=${since()}&include=content&sort=-title`),
      ['find blogs', 'aggregate blogs'],
      'page, count'
    )
  })
  await t.test('an image takes none once it was delivered', async (t) => {
    const upload = await write('POST', `/api/v1/blogs/${id}/images?filename=tea.png`, await photograph(400, 300), {
      'content-type': 'image/jpeg'
    })
    t.equal(upload.statusCode, 201)
    const { pathname } = new URL(upload.json<{ url: string }>().url)
    const deliver = async (): Promise<void> => {
      const response = await app.inject({ url: `${pathname}?w=320` })
      if (response.statusCode !== 200) throw new Error(response.body)
    }
    // The second request knows the account, and reads the image under its epoch.
    for (let n = 0; n < 2; n++) await deliver()
    await sends(t, deliver, [])
  })
  await t.test('a change takes four commands, one of them for the revision', async (t) => {
    const change = async (body: object): Promise<void> => {
      const headers = { 'x-api-key': write.key, 'content-type': 'application/json' }
      const response = await app.inject({
        method: 'PATCH',
        url: `/api/v1/blogs/${blogs[1]!.id}`,
        headers,
        payload: body
      })
      if (response.statusCode !== 200) throw new Error(response.body)
    }
    let count = 0
    await change({ title: 'Green tea' })
    const withRevision = ['find blogs', 'find images', 'update blog_revisions', 'update blogs']
    const changeTitle = () => change({ title: `Black tea ${count++}` })
    await sends(t, changeTitle, withRevision)
    await sends(
      t,
      () => change({ publishedAt: new Date(Date.UTC(2020, 0, 1, 0, 0, count++)).toISOString() }),
      ['find blogs', 'find images', 'update blogs'],
      'the source stays'
    )
    for (let n = 0; n < 5; n++) await changeTitle()
    await sends(t, changeTitle, withRevision, 'the oldest revision is deleted')
    const inserts = async (operation: () => Promise<unknown>): Promise<number> =>
      (await log.during(operation)).filter((command) => command === 'insert audit_entries').length
    const startedAt = Date.now()
    const together = await inserts(async () => {
      for (let n = 0; n < 20; n++) await change({ title: `White tea ${n}` })
      await wait(700)
    })
    // At most one in half a second, and one of each app for the changes before.
    const most = Math.ceil((Date.now() - startedAt) / 500) + 2
    t.ok(together >= 1 && together <= most, `${together} of at most ${most} commands for the audit log of 20 changes`)
    const address = `/api/v1/blogs/${blogs[1]!.slug}`
    t.strictSame(await log.during(get(address)), ['find blogs', 'find blogs'], 'its response is made')
  })
  await t.test('a new blog takes one more command if its slug is taken, however many have the title', async (t) => {
    const create = async (title: string): Promise<void> => {
      const response = await write('POST', '/api/v1/blogs', { projectId: 'site', title, markdown: 'Tea' })
      if (response.statusCode !== 201) throw new Error(response.body)
    }
    let count = 0
    const own = ['find projects', 'find blogs', 'insert blogs']
    await sends(t, () => create(`Tea of its own ${count++}`), own)
    for (let n = 0; n < 10; n++) await create('Daily tea')
    await sends(t, () => create('Daily tea'), ['find projects', 'find blogs', ...own.slice(1)])
  })
  await t.test('a change of the metadata does not send the content again', async (t) => {
    const markdown = Array.from({ length: 20_000 }, (_, n) => `word${n}`).join(' ')
    const created = await write('POST', '/api/v1/blogs', { projectId: 'site', title: 'Long', markdown })
    const { id: longId } = created.json<{ id: string }>()
    const post = (action: string) => async () => {
      const headers = { 'x-api-key': write.key }
      const response = await app.inject({ method: 'POST', url: `/api/v1/blogs/${longId}/${action}`, headers })
      if (response.statusCode !== 200) throw new Error(response.body)
    }
    const patch = (change: object) => async () => {
      const response = await write('PATCH', `/api/v1/blogs/${longId}`, change)
      if (response.statusCode !== 200) throw new Error(response.body)
    }
    const mostOf = async (operation: () => Promise<void>) => Math.max(...(await log.bytesDuring(operation)))
    for (const operation of [post('publish'), patch({ publishedAt: '2020-01-01T00:00:00Z' }), post('unpublish')]) {
      const bytes = await mostOf(operation)
      t.ok(bytes < 20_000, `${bytes} bytes`)
    }
    t.ok((await mostOf(patch({ markdown: `${markdown} more` }))) > markdown.length, 'other content is sent')
  })
  await t.test('blogs are found by their ids without a trial of other indexes', async (t) => {
    t.strictSame(log.trialsOfIndexes(), [])
  })
})
