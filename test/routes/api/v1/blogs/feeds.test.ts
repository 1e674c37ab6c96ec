import type { Page } from 'playwright'
import t from 'tap'
import type { BlogMetadata } from '../../../../../ports/store/port.ts'
import { createBlogDelivery } from '../../../../../services/blogs/delivery.ts'
import { createBlogFeeds } from '../../../../../services/blogs/feeds.ts'
import { createProjectCache } from '../../../../../services/project-cache.ts'
import { openBrowser } from '../../../../browser.ts'
import { client, person, publish, startApp } from '../../../../helper.ts'

const BLOGS = '/api/v1/blogs'
const HOSTILE = 'Tags <b>&amp; "quotes" \'n\' ]]> <!-- x --> <?pi?> \u0000\u0008\u001b\ufffe \ud800 end é 日本 😀'
/**
 * The text as XML 1.0 can represent it: without control characters, and with U+FFFD for lone
 * surrogates.
 */
const WRITABLE = 'Tags <b>&amp; "quotes" \'n\' ]]> <!-- x --> <?pi?> \ufffd end é 日本 😀'

/** Changes a blog in the store: earlier versions of the service accepted control characters. */
async function store(accountId: string, id: string, change: Partial<BlogMetadata>): Promise<void> {
  const blog = (await app.store.blogs.findMetadata(accountId, id))!
  const changed = { ...blog, ...change, version: blog.version + 1 }
  if (!(await app.store.blogs.save(changed, blog.version))) throw new Error('The blog was not saved')
}

interface Item {
  [name: string]: string
}
/**
 * The elements of this name as parsed by a browser, each with the texts of its children; null if the
 * document is not well-formed.
 */
async function elements(page: Page, xml: string, name: string): Promise<Item[] | null> {
  return await page.evaluate(
    ([text, tag]) => {
      const document = new DOMParser().parseFromString(text, 'application/xml')
      if (document.querySelector('parsererror') !== null) return null
      return [...document.getElementsByTagName(tag)].map((element) =>
        Object.fromEntries(
          [...element.children].map((child) => [child.nodeName, (child.textContent ?? '').replace(/\s+/g, ' ')])
        )
      )
    },
    [xml, name] as const
  )
}

const app = await startApp(t)
const page = await (await openBrowser(t)).newPage()

async function website(account: string, project: Record<string, unknown> = {}) {
  const asPerson = await person(app, account)
  const made = await asPerson('POST', '/api/projects', {
    id: 'site',
    name: 'The site',
    siteUrl: 'https://www.site.example',
    blogPath: '/journal',
    brandName: 'Site & Sons',
    ...project
  })
  if (made.statusCode !== 201) throw new Error(made.body)
  return { call: await client(app, account), asPerson }
}

t.test('the RSS feed lists published blogs, newest first, with URLs of the website', async (t) => {
  const { call } = await website('rss')
  await publish(call, {
    title: 'Older',
    publishedAt: '2026-01-02T03:04:05Z',
    category: 'News',
    author: { name: 'Ann' },
    metaDescription: 'About older things'
  })
  const { id } = await publish(call, {
    title: 'Hostile',
    publishedAt: '2026-02-01T00:00:00Z',
    metaDescription: HOSTILE
  })
  await store('rss', id, { title: HOSTILE, category: HOSTILE, authors: [{ name: HOSTILE }] })
  await publish(call, {
    title: 'Elsewhere',
    publishedAt: '2026-01-01T00:00:00Z',
    canonicalUrl: 'https://other.example/a?b=c&d=e'
  })
  await call('POST', BLOGS, { projectId: 'site', title: 'Draft', markdown: 'x' })
  const answer = await call('GET', `${BLOGS}/feed.xml`)
  t.equal(answer.statusCode, 200, answer.body)
  t.match(answer.headers['content-type'], 'application/rss+xml')
  const items = await elements(page, answer.body, 'item')
  t.same(
    items?.map(({ title }) => title),
    [WRITABLE, 'Older', 'Elsewhere']
  )
  t.same(
    items?.map(({ link }) => link),
    [
      'https://www.site.example/journal/hostile',
      'https://www.site.example/journal/older',
      'https://other.example/a?b=c&d=e'
    ]
  )
  t.match(items?.[0], { description: WRITABLE, category: WRITABLE, 'dc:creator': WRITABLE })
  t.match(items?.[1], {
    pubDate: 'Fri, 02 Jan 2026 03:04:05 GMT',
    category: 'News',
    description: 'About older things',
    guid: /^urn:uuid:/
  })
  const [channel] = (await elements(page, answer.body, 'channel')) ?? []
  t.match(channel, { title: 'Site & Sons', link: 'https://www.site.example/journal', description: 'Site & Sons' })
})

t.test('the JSON feed conforms to JSON Feed 1.1', async (t) => {
  const { call } = await website('json')
  const { id } = await publish(call, {
    title: 'Hostile',
    tags: ['a'],
    author: { name: 'Ann', url: 'https://ann.example/' },
    locale: 'de'
  })
  await publish(call, { title: 'Older', publishedAt: '2026-01-02T03:04:05Z' })
  await store('json', id, { title: HOSTILE })
  const answer = await call('GET', `${BLOGS}/feed.json`)
  t.match(answer.headers['content-type'], 'application/feed+json')
  const feed = answer.json()
  t.match(feed, {
    version: 'https://jsonfeed.org/version/1.1',
    title: 'Site & Sons',
    home_page_url: 'https://www.site.example/journal'
  })
  t.match(feed.items[0], {
    id: `urn:uuid:${id}`,
    url: 'https://www.site.example/journal/hostile',
    tags: ['a'],
    language: 'de',
    authors: [{ name: 'Ann', url: 'https://ann.example/' }],
    image: /\/og-/
  })
  t.notOk('authors' in feed.items[1], 'unknown members are omitted')
  for (const item of feed.items) {
    t.ok(typeof item.content_text === 'string' && item.content_text !== '', 'an item has a text, as JSON Feed requires')
  }
})

t.test('the sitemap lists every published blog with its last modification date', async (t) => {
  const { call } = await website('map')
  for (let n = 1; n <= 60; n++) {
    await publish(call, { title: `Blog ${n}`, publishedAt: new Date(Date.UTC(2026, 0, 1, 0, n)).toISOString() })
  }
  const answer = await call('GET', `${BLOGS}/sitemap.xml`)
  t.match(answer.headers['content-type'], 'application/xml')
  const urls = (await elements(page, answer.body, 'url')) ?? []
  t.equal(urls.length, 60)
  t.equal(urls[0]?.loc, 'https://www.site.example/journal/blog-60')
  t.ok(urls.every(({ lastmod }) => /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(lastmod ?? '')))
  t.equal(
    (await elements(page, (await call('GET', `${BLOGS}/feed.xml`)).body, 'item'))?.length,
    50,
    'feeds have the newest fifty blogs'
  )
})

t.test('the sitemap has no URLs of other websites', async (t) => {
  const { call } = await website('own')
  await publish(call, { title: 'Ours' })
  await publish(call, { title: 'Theirs', canonicalUrl: 'https://other.example/theirs' })
  await publish(call, { title: 'Ours too', canonicalUrl: 'https://www.site.example/special' })
  const urls = await elements(page, (await call('GET', `${BLOGS}/sitemap.xml`)).body, 'url')
  t.same(urls?.map(({ loc }) => loc).sort(), [
    'https://www.site.example/journal/ours',
    'https://www.site.example/special'
  ])
})

t.test('an empty website has an empty feed and sitemap', async (t) => {
  const { call } = await website('empty')
  t.same(await elements(page, (await call('GET', `${BLOGS}/feed.xml`)).body, 'item'), [])
  t.same(await elements(page, (await call('GET', `${BLOGS}/sitemap.xml`)).body, 'url'), [])
  t.same((await call('GET', `${BLOGS}/feed.json`)).json().items, [])
})

t.test('a feed request that cannot be served reports the missing setting or parameter', async (t) => {
  const call = await client(app, 'bare')
  for (const name of ['feed.xml', 'feed.json', 'sitemap.xml']) {
    t.match(
      (await call('GET', `${BLOGS}/${name}`)).json(),
      { status: 400, errors: [{ pointer: 'projectId', code: 'required' }] },
      `${name} of an account without a project`
    )
  }
  await publish(call, { title: 'One', projectId: 'one' })
  for (const name of ['feed.xml', 'feed.json', 'sitemap.xml']) {
    t.match(
      (await call('GET', `${BLOGS}/${name}`)).json(),
      {
        status: 400,
        code: 'invalid_request',
        errors: [{ pointer: 'projectId', code: 'site_url_missing', message: /siteUrl/ }]
      },
      name
    )
  }
  await publish(call, { title: 'Two', projectId: 'two' })
  t.match((await call('GET', `${BLOGS}/feed.xml`)).json(), {
    status: 400,
    errors: [{ pointer: 'projectId', code: 'required', message: /more than one/ }]
  })
  t.match((await call('GET', `${BLOGS}/feed.xml?projectId=three`)).json(), { status: 404, code: 'project_not_found' })
  const confined = await client(app, 'bare', { projectIds: ['two'] })
  t.match((await confined('GET', `${BLOGS}/feed.xml?projectId=one`)).json(), {
    status: 403,
    code: 'project_not_allowed'
  })
  t.match(
    (await confined('GET', `${BLOGS}/feed.xml`)).json(),
    { errors: [{ code: 'site_url_missing' }] },
    'a key of one project uses that project'
  )
})

t.test('each project has its own feed', async (t) => {
  const { call, asPerson } = await website('two')
  await asPerson('POST', '/api/projects', { id: 'shop', name: 'The shop', siteUrl: 'https://shop.example/' })
  await publish(call, { title: 'On the site' })
  await publish(call, { title: 'In the shop', projectId: 'shop' })
  const items = await elements(page, (await call('GET', `${BLOGS}/feed.xml?projectId=shop`)).body, 'item')
  t.same(
    items?.map(({ link }) => link),
    ['https://shop.example/blog/in-the-shop'],
    'a trailing slash of the siteUrl is not doubled'
  )
})

t.test('a changed site URL is visible at once in feeds and blogs', async (t) => {
  const { call, asPerson } = await website('moving')
  await publish(call, { title: 'Settled' })
  const links = async () => [
    (await elements(page, (await call('GET', `${BLOGS}/feed.xml`)).body, 'item'))?.[0]?.link,
    (await elements(page, (await call('GET', `${BLOGS}/sitemap.xml`)).body, 'url'))?.[0]?.loc,
    (await call('GET', `${BLOGS}/feed.json`)).json().items[0].url,
    (await call('GET', `${BLOGS}/settled`)).json().canonicalUrl
  ]
  for (let round = 0; round < 2; round++) {
    t.same(new Set(await links()), new Set(['https://www.site.example/journal/settled']))
  }
  await asPerson('PATCH', '/api/projects/site', { siteUrl: 'https://new.example', blogPath: '/b' })
  t.same(new Set(await links()), new Set(['https://new.example/b/settled']))
  const before = await call('GET', `${BLOGS}/feed.xml`)
  t.equal(
    (await call('GET', `${BLOGS}/feed.xml`, undefined, { 'if-none-match': String(before.headers.etag) })).statusCode,
    304
  )
})

t.test('the RSS feed has the full text, all authors, an image and the URL of the feed', async (t) => {
  const { call } = await website('full')
  await publish(call, {
    title: 'Full',
    markdown: '## Why\n\nAll of the *text* & more.\n',
    authors: [{ name: 'Ann' }, { name: 'Bo' }],
    tags: ['a', 'b'],
    cover: { url: 'https://images.example/c.jpg?a=1&b=2', alt: 'A "cover"', width: 1200, height: 630 }
  })
  const { body } = await call('GET', `${BLOGS}/feed.xml`)
  const parsed = await page.evaluate((xml) => {
    const document = new DOMParser().parseFromString(xml, 'application/xml')
    const texts = (name: string) => [...document.getElementsByTagName(name)].map(({ textContent }) => textContent)
    const attributes = (name: string) =>
      Object.fromEntries(
        [...(document.getElementsByTagName(name)[0]?.attributes ?? [])].map((one) => [one.name, one.value])
      )
    return {
      content: texts('content:encoded'),
      creators: texts('dc:creator'),
      categories: texts('category'),
      self: attributes('atom:link'),
      media: attributes('media:content'),
      alt: texts('media:description')
    }
  }, body)
  t.match(parsed.content[0], /<p>All of the <em>text<\/em> &amp; more\.<\/p>/)
  t.same(parsed.creators, ['Ann', 'Bo'])
  t.same(parsed.categories, ['a', 'b'])
  t.same(parsed.self, { href: 'https://www.site.example/journal/feed.xml', rel: 'self', type: 'application/rss+xml' })
  t.same(parsed.media, { url: 'https://images.example/c.jpg?a=1&b=2', medium: 'image', width: '1200', height: '630' })
  t.same(parsed.alt, ['A "cover"'])
  const own = await call(
    'GET',
    `${BLOGS}/feed.xml?selfUrl=${encodeURIComponent('https://www.site.example/rss?x=1&y=2')}`
  )
  t.match(own.body, 'href="https://www.site.example/rss?x=1&amp;y=2"')
  const json = (await call('GET', `${BLOGS}/feed.json`)).json()
  t.equal(json.feed_url, 'https://www.site.example/journal/feed.json')
  t.match(json.items[0], {
    content_html: /All of the <em>text/,
    image: 'https://images.example/c.jpg?a=1&b=2',
    authors: [{ name: 'Ann' }, { name: 'Bo' }]
  })
})

t.test('feeds can be limited to a category and a locale', async (t) => {
  const { call } = await website('parts')
  await publish(call, { title: 'Green tea', category: 'Tea & Time' })
  await publish(call, { title: 'Tee', category: 'Tea & Time', locale: 'de' })
  await publish(call, { title: 'Milk', category: 'Milk' })
  const titles = async (query: string) => {
    const items = (await elements(page, (await call('GET', `${BLOGS}/feed.xml?${query}`)).body, 'item')) ?? []
    const json = (await call('GET', `${BLOGS}/feed.json?${query}`)).json().items
    const found = items.map(({ title }) => title).sort()
    t.same(json.map(({ title }: Item) => title).sort(), found, 'both feeds have the same blogs')
    return found
  }
  t.same(await titles('category=tea%20%26%20time'), ['Green tea', 'Tee'])
  t.same(await titles('category=tea%20%26%20time&locale=DE'), ['Tee'])
  t.same(await titles('locale=en'), ['Green tea', 'Milk'])
  t.same(await titles('category=none'), [])
  const { body } = await call('GET', `${BLOGS}/feed.xml?category=Milk`)
  const [channel] = (await elements(page, body, 'channel')) ?? []
  t.match(channel, { title: 'Site & Sons: Milk' })
  t.match(body, 'href="https://www.site.example/journal/feed.xml?category=Milk"')
})

t.test('the sitemap has the images and translations of each page', async (t) => {
  const { call } = await website('rich')
  await publish(call, { title: 'Alone', markdown: '![](https://i.example/a.jpg?x=1&y=2) ![](https://i.example/b.jpg)' })
  for (const locale of ['en', 'de']) {
    await publish(call, { title: `In ${locale}`, locale, translationKey: 'x', publishedAt: '2026-01-01T00:00:00Z' })
  }
  const { body } = await call('GET', `${BLOGS}/sitemap.xml`)
  const urls = await page.evaluate((xml) => {
    const document = new DOMParser().parseFromString(xml, 'application/xml')
    return [...document.getElementsByTagName('url')].map((url) => ({
      images: [...url.getElementsByTagName('image:loc')].map(({ textContent }) => textContent),
      alternates: [...url.getElementsByTagNameNS('http://www.w3.org/1999/xhtml', 'link')].map((link) =>
        ['rel', 'hreflang', 'href'].map((name) => link.getAttribute(name)).join(' ')
      )
    }))
  }, body)
  const alternates = ['de', 'en'].map((locale) => `alternate ${locale} https://www.site.example/journal/in-${locale}`)
  t.same(urls, [
    { images: ['https://i.example/a.jpg?x=1&y=2', 'https://i.example/b.jpg'], alternates: [] },
    { images: [], alternates },
    { images: [], alternates }
  ])
})

t.test('with more blogs than a sitemap may have, the sitemap is an index of its pages', async (t) => {
  const { call } = await website('split')
  for (let n = 1; n <= 5; n++) {
    await publish(call, { title: `Blog ${n}`, publishedAt: `2026-01-0${n}T00:00:00Z` })
  }
  const { store, services } = app
  const reader = { accountId: 'split', projectIds: null }
  const publicUrl = () => app.publicUrl
  const delivery = createBlogDelivery({ store, projects: createProjectCache({ store }), publicUrl })
  const feeds = createBlogFeeds({ store, delivery, publicUrl, sitemapUrls: 2 })
  const locations = async (xml: Buffer, name: string) =>
    (await elements(page, xml.toString(), name))?.map(({ loc }) => loc)
  const selfUrl = 'https://www.site.example/map.xml?part=blog'
  t.same(await locations(await feeds.sitemap(reader, { selfUrl }), 'sitemap'), [
    `${selfUrl}&page=1`,
    `${selfUrl}&page=2`,
    `${selfUrl}&page=3`
  ])
  t.equal(
    (await locations(await feeds.sitemap(reader), 'sitemap'))?.[0],
    'https://www.site.example/journal/sitemap.xml?page=1'
  )
  const pages = await Promise.all(
    [1, 2, 3].map(async (n) => locations(await feeds.sitemap(reader, { page: n }), 'url'))
  )
  t.same(
    pages.map((list) => list?.map((url) => url?.replace(/.*-/, ''))),
    [['5', '4'], ['3', '2'], ['1']]
  )
  await t.rejects(feeds.sitemap(reader, { page: 4 }), { code: 'not_found' })
  t.same(await locations(await services.blogs.feeds.sitemap(reader), 'sitemap'), [], 'five blogs fit in one sitemap')
  t.equal((await call('GET', `${BLOGS}/sitemap.xml?page=2`)).statusCode, 404)
})
