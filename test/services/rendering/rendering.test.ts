import t from 'tap'
import type { ApiError } from '../../../errors.ts'
import type { ComposeInput } from '../../../services/blogs/compose.ts'
import { createRenderer } from '../../../services/rendering/index.ts'
import { client, startApp } from '../../helper.ts'

const ID = '00000000-0000-4000-8000-000000000000'
const input = (source: Partial<ComposeInput['fields']['source']>): ComposeInput => ({
  fields: {
    id: ID,
    title: 'Title',
    locale: 'en',
    category: null,
    tags: [],
    authors: [],
    translationKey: null,
    source: {
      format: 'markdown',
      text: 'Text',
      css: null,
      metaDescription: null,
      ogImageUrl: null,
      canonicalUrl: null,
      ...source
    }
  },
  images: [],
  publicUrl: 'http://localhost'
})
const failure = async (promise: Promise<unknown>) =>
  await promise.then(
    () => null,
    ({ code, options }: ApiError) => ({ code, pointer: options.errors?.[0]?.pointer, field: options.errors?.[0]?.code })
  )

t.test('content that takes too long is rejected, and the part is named', async (t) => {
  const { composeBlog } = createRenderer({ timeoutMs: 150, maxThreads: 2 })
  const tooComplex = (pointer: string) => ({ code: 'content_too_complex', pointer, field: 'too_complex' })
  t.same(await failure(composeBlog('a', input({ text: '*a **b _c '.repeat(50_000) }))), tooComplex('/markdown'))
  const html = '<p>a <b>c</b></p>'.repeat(20_000)
  t.same(await failure(composeBlog('a', input({ format: 'html', text: html }))), tooComplex('/html'))
  const css = '.a:is(.b,.c){color:red}'.repeat(20_000)
  // Loads the modules of the next thread: on a busy machine, that alone may take longer than the limit.
  await composeBlog('a', input({ text: 'Two words' })).catch(() => null)
  t.same(await failure(composeBlog('a', input({ css }))), tooComplex('/css'))
  t.equal((await composeBlog('a', input({ text: 'Two words' }))).wordCount, 2, 'the next blog is rendered')
})

t.test('content that grows beyond the length of a string is rejected', async (t) => {
  const { composeBlog } = createRenderer({ timeoutMs: 20_000, maxThreads: 2 })
  const text = `[a]: /u "${'b'.repeat(300_000)}"\n\n${'[a] '.repeat(100_000)}`
  t.same(await failure(composeBlog('a', input({ text }))), {
    code: 'content_too_complex',
    pointer: '/markdown',
    field: 'too_large'
  })
})

t.test('links that repeat a long definition are rejected', async (t) => {
  const { composeBlog } = createRenderer({ timeoutMs: 20_000, maxThreads: 2 })
  const text = (length: number) => `[a]: /${'b'.repeat(length)} "c"\n\n${'[a] ![d][a] '.repeat(500)}`
  t.ok((await composeBlog('a', input({ text: text(150) }))).body.html)
  const error = await composeBlog('a', input({ text: text(2_000) })).catch((error: unknown) => error)
  t.match(error, {
    code: 'content_too_complex',
    message: 'The links and images of the text repeat too long addresses and titles.',
    options: { errors: [{ pointer: '/markdown', code: 'too_large' }] }
  })
})

t.test('content that grows too large is rejected', async (t) => {
  const { composeBlog } = createRenderer({ timeoutMs: 20_000, maxThreads: 2, maxLength: 500 })
  const source = (count: number) => ({ format: 'html' as const, text: '<img src="https://a.b/c">'.repeat(count) })
  t.ok((await composeBlog('a', input(source(1)))).body.html)
  t.same(await failure(composeBlog('a', input(source(10)))), {
    code: 'content_too_complex',
    pointer: '/html',
    field: 'too_large'
  })
})

t.test('the API rejects complex content and changes nothing', async (t) => {
  const app = await startApp(t, { RENDER_TIMEOUT_MS: '150' })
  const call = await client(app)
  const { id, version } = (
    await call('POST', '/api/v1/blogs', { projectId: 'site', title: 'Title', markdown: 'Text', status: 'published' })
  ).json()
  const markdown = '*a **b _c '.repeat(50_000)
  const created = await call('POST', '/api/v1/blogs', { projectId: 'other', title: 'Complex', markdown })
  t.equal(created.statusCode, 422)
  t.match(created.json(), {
    code: 'content_too_complex',
    detail: 'Rendering markdown takes more than 0.15 seconds of computing time.',
    errors: [{ pointer: '/markdown', code: 'too_complex' }]
  })
  const changed = await call('PATCH', `/api/v1/blogs/${id}`, { title: 'New title', markdown, projectId: 'third' })
  t.equal(changed.statusCode, 422)
  t.match((await call('GET', '/api/v1/blogs/title')).json(), { id, title: 'Title', version })
  t.same(
    (await app.services.projects.list('acme')).map((project: { id: string }) => project.id),
    ['site'],
    'no project was created'
  )
})
