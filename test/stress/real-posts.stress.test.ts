import { copyFileSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parse, parseFragment, type DefaultTreeAdapterTypes } from 'parse5'
import t, { type Test } from 'tap'
import { deliverHtml, sanitizeHtml } from '../../services/blogs/content/index.ts'
import type { Blog, BlogListItem, BlogSummary, CategoryCount } from '../../schemas/blog.ts'
import { temporaryFolder } from '../helper.ts'
import { small } from '../profile.ts'
import { startServer, createSvc, type RunningServer } from '../processes.ts'

const ALL_POSTS = path.resolve(import.meta.dirname, '../../../shared/data/18f-posts')
const skip = existsSync(ALL_POSTS) ? false : 'the real posts are not here'
const POSTS = skip === false && small ? someOf(ALL_POSTS, 30) : ALL_POSTS
const COUNT = skip === false ? readdirSync(POSTS).length : 0
const PROJECT = ['--project', 'site', '--account', 'acme']

/** A folder with so many files of the folder, from all of it. */
function someOf(folder: string, count: number): string {
  const chosen = mkdtempSync(path.join(tmpdir(), 'blog-service-posts-'))
  t.teardown(() => {
    rmSync(chosen, { recursive: true })
  })
  const names = readdirSync(folder).sort()
  for (let i = 0; i < count; i++) {
    const name = names[Math.floor((i * names.length) / count)]!
    copyFileSync(path.join(folder, name), path.join(chosen, name))
  }
  return chosen
}

async function timed<T>(t: Test, what: string, act: () => Promise<T>): Promise<T> {
  const start = performance.now()
  const result = await act()
  t.comment(`${what}: ${((performance.now() - start) / 1000).toFixed(1)} s`)
  return result
}

async function readerOf(server: RunningServer, data: string) {
  const svc = createSvc(data)
  const key = (await svc('keys', 'create', '--name', 'Reader', '--account', 'acme')).out.trim()
  await svc('account', 'set-limits', 'acme', '--requests-per-hour', '100000')
  return async <T>(target: string): Promise<T> => {
    const response = await fetch(`${server.url}/api/v1/blogs${target}`, { headers: { 'x-api-key': key } })
    if (!response.ok) throw new Error(`${target}: ${response.status} ${await response.text()}`)
    return (await response.json()) as T
  }
}
type Read = Awaited<ReturnType<typeof readerOf>>
interface Page<Item> {
  blogs: Item[]
  totalCount: number
  page: number
  totalPages: number
}

async function allPages<Item>(read: Read, query: string): Promise<{ items: Item[]; totals: Set<number> }> {
  const items: Item[] = []
  const totals = new Set<number>()
  for (let page = 1, last = 1; page <= last; page++) {
    const list = await read<Page<Item>>(`?page=${page}&${query}`)
    items.push(...list.blogs)
    totals.add(list.totalCount)
    last = list.totalPages
  }
  return { items, totals }
}

/**
 * What a browser takes for the script's text when the JSON is pasted between the tags, and whether
 * anything got out of them.
 */
function insideScript(json: string): { text: string; leaked: boolean } {
  const document = parse(
    `<!doctype html><html><head><title>x</title><script type="application/ld+json">${json}</script>` +
      '</head><body><p>after</p></body></html>'
  )
  const html = document.childNodes.find((node) => node.nodeName === 'html') as DefaultTreeAdapterTypes.Element
  const [head, body] = html.childNodes as [DefaultTreeAdapterTypes.Element, DefaultTreeAdapterTypes.Element]
  const script = head.childNodes[1] as DefaultTreeAdapterTypes.Element
  return {
    text: script.childNodes.map((node) => (node as DefaultTreeAdapterTypes.TextNode).value).join(''),
    leaked: head.childNodes.length !== 2 || body.childNodes.length !== 1
  }
}

/** What is wrong with what is delivered of a blog. */
function faults(blog: Blog, publicUrl: string): string[] {
  const found: string[] = []
  const again = deliverHtml(
    sanitizeHtml(blog.htmlContent, { blogId: blog.id, title: blog.title, locale: blog.locale, images: [], publicUrl })
      .html,
    publicUrl
  )
  if (again !== blog.htmlContent) found.push('its HTML changes when it is sanitized again')
  const { text, leaked } = insideScript(blog.schemaOrgJson)
  if (leaked || text !== blog.schemaOrgJson) found.push('its JSON-LD does not stay in its script tag')
  if (JSON.parse(blog.schemaOrgJson)['@graph'][0]['@type'] !== 'BlogPosting') {
    found.push('its JSON-LD is no BlogPosting')
  }
  const [wrapper, ...rest] = parseFragment(blog.htmlContent).childNodes
  if (wrapper?.nodeName !== 'div' || rest.some((node) => node.nodeName !== '#text')) {
    found.push('its HTML is not one element')
  }
  for (const field of [
    'title',
    'slug',
    'metaDescription',
    'ogImageUrl',
    'publishedAt',
    'htmlContent',
    'cssContent',
    'schemaOrgJson'
  ] as const) {
    if (typeof blog[field] !== 'string' || blog[field] === '') found.push(`${field} is missing`)
  }
  if (blog.wordCount < 15) found.push(`it has ${blog.wordCount} words`)
  return found.map((fault) => `${blog.slug}: ${fault}`)
}

async function checkDelivery(t: Test, read: Read, publicUrl: string): Promise<void> {
  const { items: heads, totals } = await allPages<BlogListItem>(read, 'pageSize=20')
  t.same([...totals], [COUNT], 'every page tells the true total')
  t.equal(new Set(heads.map(({ id }) => id)).size, COUNT, 'every blog is on one page, and on one alone')
  const dates = heads.map(({ publishedAt, id }) => `${publishedAt} ${id}`)
  t.same(dates, dates.toSorted().reverse(), 'the newest come first')
  const { items: whole } = await allPages<Blog>(read, 'pageSize=100&include=content')
  t.same(
    whole.map(({ id }) => id),
    heads.map(({ id }) => id),
    'the list with content is the same list'
  )
  t.same(
    whole.flatMap((blog) => faults(blog, publicUrl)),
    []
  )

  const categories = await read<CategoryCount[]>('/categories')
  t.equal(
    categories.reduce((sum, { count }) => sum + count, 0),
    heads.filter(({ category }) => category !== null).length
  )

  const wrong: string[] = []
  for (const [n, blog] of whole.entries()) {
    const related = await read<BlogSummary[]>(`/${blog.slug}/related?limit=12`)
    const slugs = new Set(related.map(({ slug }) => slug))
    if (related.length !== Math.min(12, COUNT - 1) || slugs.size !== related.length || slugs.has(blog.slug)) {
      wrong.push(`${blog.slug}: ${related.length} related blogs`)
    }
    if (n % 10 > 0) continue
    const single = await read<Blog>(`/${blog.slug}`)
    for (const field of Object.keys(single) as (keyof Blog)[]) {
      if (JSON.stringify(single[field]) !== JSON.stringify(blog[field])) {
        wrong.push(`${blog.slug}: ${field} differs between the list and the blog`)
      }
    }
  }
  t.same(wrong, [])
}

t.test(`${COUNT} real posts can be imported offline and are delivered correctly`, { skip }, async (t) => {
  const data = temporaryFolder(t)
  const svc = createSvc(data)
  const first = await timed(t, `${COUNT} posts without a server`, () =>
    svc('import', 'blogs', POSTS, ...PROJECT, '--json')
  )
  t.equal(first.code, 0, first.err)
  t.match(JSON.parse(first.out), { files: COUNT, created: COUNT, updated: 0, unchanged: 0, failed: 0 })
  const server = await startServer(t, data)
  const read = await readerOf(server, data)
  await timed(t, 'all pages, blogs and related blogs', () => checkDelivery(t, read, server.url))
})

t.test(
  'real posts can be imported into a running server, and a repeated import changes nothing',
  { skip },
  async (t) => {
    const data = temporaryFolder(t)
    const svc = createSvc(data)
    const server = await startServer(t, data)
    const first = await timed(t, `${COUNT} posts into a server that runs`, () =>
      svc('import', 'blogs', POSTS, ...PROJECT)
    )
    t.equal(first.code, 0, first.err)
    t.match(first.out, new RegExp(`^${COUNT} files: ${COUNT} created, 0 updated, 0 unchanged, 0 failed`))
    const read = await readerOf(server, data)
    const before = (await allPages<BlogListItem>(read, 'pageSize=100')).items
    t.equal(before.length, COUNT)
    const second = await timed(t, 'the same again', () => svc('import', 'blogs', POSTS, ...PROJECT, '--json'))
    t.equal(second.code, 0, second.err)
    t.match(JSON.parse(second.out), { created: 0, updated: 0, unchanged: COUNT, failed: 0 })
    t.same((await allPages<BlogListItem>(read, 'pageSize=100')).items, before)
    t.same(await server.end('SIGTERM'), { code: 0, signal: null })
    t.equal(server.err(), '')
  }
)
