import sharp from 'sharp'
import t from 'tap'
import { client, person, publish, startApp, type Client } from '../../../../helper.ts'

const BLOGS = '/api/v1/blogs'
const get = async (call: Client, path: string) => {
  const answer = await call('GET', `${BLOGS}${path}`)
  if (answer.statusCode !== 200) throw new Error(answer.body)
  return answer.json()
}
const graphOf = (blog: { schemaOrgJson: string }) => JSON.parse(blog.schemaOrgJson)['@graph']
const PIXELS = await sharp({ create: { width: 2, height: 1, channels: 3, background: '#888' } })
  .png()
  .toBuffer()

t.test('a blog with two authors names both in the response, in lists, in related blogs and in JSON-LD', async (t) => {
  const call = await client(await startApp(t))
  const authors = [{ name: 'Ann Lee', url: 'https://ann.example/' }, { name: 'Bo Li' }]
  const delivered = [
    { name: 'Ann Lee', url: 'https://ann.example/' },
    { name: 'Bo Li', url: null }
  ]
  const { id } = await publish(call, { title: 'Two', authors })
  await publish(call, { title: 'One', author: authors[1] })
  const blog = await get(call, '/two')
  t.same(blog.authors, delivered)
  t.same(blog.author, delivered[0])
  t.same(graphOf(blog)[0].author, [
    { '@type': 'Person', name: 'Ann Lee', url: 'https://ann.example/' },
    { '@type': 'Person', name: 'Bo Li' }
  ])
  const one = await get(call, '/one')
  t.same([one.author, one.authors], [delivered[1], [delivered[1]]])
  t.same(graphOf(one)[0].author, { '@type': 'Person', name: 'Bo Li' }, 'a single author is one object')
  t.same((await get(call, '?author=ann%20lee')).blogs[0].authors, delivered)
  t.equal((await get(call, '?author=BO%20LI')).totalCount, 2, 'each author is found')
  t.same((await get(call, '/one/related'))[0].authors, delivered)

  const patch = async (body: object) => await call('PATCH', `${BLOGS}/${id}`, body)
  t.equal((await patch({ author: delivered[0], authors: delivered })).statusCode, 200, 'a response can be sent back')
  t.match((await patch({ author: delivered[1], authors: delivered })).json(), {
    code: 'invalid_request',
    errors: [{ pointer: '/author', code: 'either' }]
  })
  t.match((await patch({ authors: [{ name: 'Ann' }, { name: ' ANN ' }] })).json(), {
    errors: [{ pointer: '/authors/1', code: 'repeated' }]
  })
  t.same((await patch({ title: 'Still two' })).json().authors, delivered, 'omitted authors are kept')
  t.same((await patch({ author: { name: 'Cy' } })).json().authors, [{ name: 'Cy', url: null }])
  t.match((await patch({ authors: [] })).json(), { author: null, authors: [] })
})

t.test('meta title, excerpt and cover are those of the author, or derived from the content', async (t) => {
  const call = await client(await startApp(t, { PUBLIC_URL: 'https://content.example/delivery' }))
  const plain = await publish(call, { title: 'Plain' })
  t.match(await get(call, '/plain'), { metaTitle: 'Plain', excerpt: 'Some words about Plain.', cover: null })
  const upload = await call('POST', `${BLOGS}/${plain.id}/images?filename=hero.png&alt=A%20harbor`, PIXELS, {
    'content-type': 'image/png'
  })
  t.equal(upload.statusCode, 201, upload.body)
  const { filename, url } = upload.json()
  const sentences = [
    'This sentence is the first one of a long excerpt that an author wrote.',
    'It goes on. '.repeat(30)
  ]
  const changed = await call('PATCH', `${BLOGS}/plain`, {
    metaTitle: ' A better title ',
    excerpt: sentences.join(' '),
    cover: { url: 'hero.png' }
  })
  t.same(changed.json().source.cover, { url: 'hero.png' })
  const cover = { url, srcset: `${url}?format=auto 2w`, width: 2, height: 1, alt: 'A harbor' }
  t.ok(url.startsWith('https://content.example/delivery/api/'), url)
  const blog = await get(call, '/plain')
  t.match(blog, { metaTitle: 'A better title', excerpt: sentences.join(' ').trim() })
  t.same(blog.cover, cover)
  t.ok(graphOf(blog)[0].image.includes(url))
  t.ok(blog.metaDescription.startsWith(sentences[0]), blog.metaDescription)
  t.ok(blog.metaDescription.length <= 156 && blog.metaDescription.endsWith('.'), 'ends with a sentence')
  await publish(call, { title: 'Other', markdown: 'Text.\n\n![Sea](https://images.example/sea.jpg)\n' })
  t.same((await get(call, '?sort=title')).blogs[1].cover, cover)
  const [related] = await get(call, '/other/related')
  t.match(related, { metaTitle: 'A better title', locale: 'en', cover })
  const sea = { url: 'https://images.example/sea.jpg', srcset: null, width: null, height: null, alt: 'Sea' }
  t.same((await get(call, '/other')).cover, sea, 'the first image of the text')
  const missing = await call('PATCH', `${BLOGS}/other`, { cover: { url: 'unknown.png' } })
  t.same(missing.json().cover, sea)
  t.match(missing.json().warnings, [/the cover unknown\.png is not used/])
  const external = { url: 'https://images.example/c.jpg', alt: 'C', width: 1200, height: 630 }
  t.same((await call('PATCH', `${BLOGS}/other`, { cover: external })).json().cover, { ...external, srcset: null })
  await call('DELETE', `${BLOGS}/${plain.id}/images/${filename}`)
  t.equal((await get(call, '/plain')).cover, null, 'a deleted image is no cover')
})

t.test('published translations name each other', async (t) => {
  const app = await startApp(t)
  const call = await client(app)
  const site = { id: 'site', siteUrl: 'https://site.example', blogPath: '/journal' }
  await (await person(app, 'acme'))('POST', '/api/projects', site)
  const group = { translationKey: 'tea' }
  const en = await publish(call, { ...group, title: 'Green tea', locale: 'en' })
  t.same((await get(call, '/green-tea')).translations, [], 'a single blog has no translations')
  const since = (await get(call, '/green-tea')).updatedAt
  const de = await publish(call, { ...group, title: 'Grüner Tee', slug: 'gruener-tee', locale: 'de-AT' })
  const both = [
    {
      id: de.id,
      locale: 'de-AT',
      hreflang: 'de-AT',
      title: 'Grüner Tee',
      slug: 'gruener-tee',
      url: 'https://site.example/journal/gruener-tee'
    },
    {
      id: en.id,
      locale: 'en',
      hreflang: 'en',
      title: 'Green tea',
      slug: 'green-tea',
      url: 'https://site.example/journal/green-tea'
    }
  ]
  const seen = await call('GET', `${BLOGS}/green-tea`)
  t.same(seen.json().translations, both)
  t.same((await get(call, '/gruener-tee')).translations, both)
  t.same(
    (await get(call, '')).blogs.map(({ translations }: { translations: unknown }) => translations),
    [both, both]
  )
  t.ok(seen.json().updatedAt > since, 'the response has changed, so that incremental builds fetch it')
  t.same((await get(call, '/green-tea?projectId=site')).version, 1)
  const draft = await call('POST', BLOGS, { projectId: 'site', ...group, title: 'Thé', markdown: 'x', locale: 'fr' })
  t.same((await get(call, '/green-tea')).translations, both, 'a draft is not shown')
  t.match(
    (await call('POST', BLOGS, { projectId: 'site', ...group, title: 'Tea', markdown: 'x', locale: 'EN' })).json(),
    { status: 409, code: 'translation_exists' }
  )
  const [event] = (await (await person(app, 'acme'))('GET', '/api/events')).json().events.slice(-1)
  t.ok(event.data.paths.includes('/journal/green-tea'), 'the event names the pages of the translations')

  const before = (await get(call, '/green-tea')).updatedAt
  await call('POST', `${BLOGS}/${de.id}/unpublish`)
  t.same((await get(call, '/green-tea')).translations, [], 'an unpublished translation is not shown')
  const conditional = {
    'if-modified-since': new Date(before).toUTCString(),
    'if-none-match': String(seen.headers.etag)
  }
  t.equal((await call('GET', `${BLOGS}/green-tea`, undefined, conditional)).statusCode, 200)
  const rebuilt = await get(call, `?updatedSince=${new Date(Date.parse(before) + 1).toISOString()}`)
  t.same(
    rebuilt.blogs.map(({ slug }: { slug: string }) => slug),
    ['green-tea']
  )
  await call('POST', `${BLOGS}/${draft.json().id}/publish`)
  t.equal((await get(call, '/green-tea')).translations.length, 2)
  await call('DELETE', `${BLOGS}/${draft.json().id}`)
  t.same((await get(call, '/green-tea')).translations, [])
})

t.test('lists have documented orders, and a list of scheduled blogs has their publication times', async (t) => {
  const call = await client(await startApp(t))
  for (const [title, day] of [
    ['b', '03'],
    ['A', '02'],
    ['c', '01']
  ] as const) {
    await publish(call, { title, publishedAt: `2026-01-${day}T00:00:00Z` })
  }
  const slugs = async (query: string) => (await get(call, query)).blogs.map(({ slug }: { slug: string }) => slug)
  t.same(await slugs(''), ['b', 'a', 'c'])
  t.same(await slugs('?sort=-publishedAt'), ['b', 'a', 'c'])
  t.same(await slugs('?sort=publishedAt'), ['c', 'a', 'b'])
  t.same(await slugs('?sort=title'), ['a', 'b', 'c'])
  t.same(
    [...(await slugs('?sort=title&pageSize=2')), ...(await slugs('?sort=title&pageSize=2&page=2'))],
    ['a', 'b', 'c']
  )
  await call('PATCH', `${BLOGS}/c`, { category: 'News' })
  t.same((await slugs('?sort=-updatedAt'))[0], 'c')
  t.match((await call('GET', `${BLOGS}?sort=random`)).json(), { errors: [{ pointer: 'sort' }] })
  t.match((await call('GET', `${BLOGS}?sort=publishAt`)).json(), {
    errors: [{ pointer: 'sort', code: 'not_scheduled' }]
  })
  const times = ['2029-05-01T00:00:00.000Z', '2029-04-01T00:00:00.000Z']
  for (const publishAt of times) {
    const made = await call('POST', BLOGS, { projectId: 'site', title: publishAt.slice(5, 7), markdown: 'x' })
    await call('POST', `${BLOGS}/${made.json().id}/publish`, { publishAt })
  }
  const scheduled = await get(call, '?status=scheduled&sort=publishAt')
  t.same(
    scheduled.blogs.map(({ publishAt }: { publishAt: string }) => publishAt),
    times.toReversed()
  )
  t.notOk('publishAt' in (await get(call, '')).blogs[0])
})

t.test('tags and authors are counted like categories, without regard to case', async (t) => {
  const app = await startApp(t)
  const call = await client(app)
  await publish(call, { title: 'a', category: 'Tea', tags: ['Green', 'x'], authors: [{ name: 'Ann' }, { name: 'Bo' }] })
  await publish(call, { title: 'b', category: 'Tea', tags: ['Green'], author: { name: 'Ann' } })
  await publish(call, { title: 'c', category: 'TEA', tags: ['GREEN'], author: { name: 'ann' }, projectId: 'shop' })
  t.same(await get(call, '/tags'), [
    { tag: 'Green', count: 3 },
    { tag: 'x', count: 1 }
  ])
  t.same(await get(call, '/authors'), [
    { author: 'Ann', count: 3 },
    { author: 'Bo', count: 1 }
  ])
  t.same(await get(call, '/categories'), [{ category: 'Tea', count: 3 }])
  t.same(await get(call, '/tags?projectId=shop'), [{ tag: 'GREEN', count: 1 }])
  t.same(await get(await client(app, 'acme', { projectIds: ['shop'] }), '/authors'), [{ author: 'ann', count: 1 }])
  for (const query of ['category=tea', 'tag=green', 'author=ANN', 'locale=EN']) {
    t.equal((await get(call, `?${query}`)).totalCount, 3, query)
  }
  for (const slug of ['tags', 'authors']) {
    const made = await call('POST', BLOGS, { projectId: 'site', title: 'x', slug, markdown: 'x' })
    t.equal(made.json().code, 'reserved_slug')
  }
})

t.test('related blogs are of the same language, and come with the blog on request', async (t) => {
  const app = await startApp(t)
  const call = await client(app)
  await publish(call, { title: 'Green tea', locale: 'en', publishedAt: '2026-01-01T00:00:00Z' })
  await publish(call, { title: 'Black tea', locale: 'en-GB', publishedAt: '2026-01-02T00:00:00Z' })
  await publish(call, { title: 'Grüner Tee', locale: 'de', publishedAt: '2026-01-03T00:00:00Z' })
  await publish(call, { title: 'Elsewhere', projectId: 'shop', publishedAt: '2026-01-04T00:00:00Z' })
  const slugs = (list: { slug: string }[]) => list.map(({ slug }) => slug)
  t.same(slugs(await get(call, '/green-tea/related?limit=12')), ['black-tea'])
  t.same(await get(call, '/gruener-tee/related?limit=12'), [], 'other languages do not complete the list')
  await publish(call, { title: 'White tea', locale: 'en' })
  const before = await call('GET', `${BLOGS}/green-tea?include=related`)
  t.same(before.json().related, await get(call, '/green-tea/related'))
  const after = await call('GET', `${BLOGS}/green-tea?include=related&relatedLimit=1`)
  t.equal(after.json().related.length, 1)
  const remaining = (answer: typeof after) => Number(answer.headers['x-ratelimit-remaining'])
  t.equal(remaining(before) - remaining(after), 2, 'a blog with its related blogs is one request')
  t.notOk('related' in (await get(call, '/green-tea')))
  t.equal((await call('GET', `${BLOGS}/green-tea?include=everything`)).statusCode, 400)
})

t.test('breadcrumbs contain the category if the project names its page', async (t) => {
  const app = await startApp(t)
  const call = await client(app)
  const owner = await person(app, 'acme')
  await owner('POST', '/api/projects', { id: 'site', siteUrl: 'https://site.example', blogPath: '/journal' })
  await publish(call, { title: 'Green tea', category: 'Tea & Time' })
  const crumbs = async () =>
    graphOf(await get(call, '/green-tea'))[1].itemListElement.map(({ item }: { item: string }) => item)
  const [home, list, page] = [
    'https://site.example',
    'https://site.example/journal',
    'https://site.example/journal/green-tea'
  ]
  t.same(await crumbs(), [home, list, page])
  const changed = await owner('PATCH', '/api/projects/site', { categoryPath: '/journal/in/{category}/' })
  t.equal(changed.json().categoryPath, '/journal/in/{category}/')
  t.same(await crumbs(), [home, list, 'https://site.example/journal/in/tea-time/', page])
  t.equal((await owner('PATCH', '/api/projects/site', { categoryPath: '/journal' })).statusCode, 400)
  await call('PATCH', `${BLOGS}/green-tea`, { category: '茶' })
  t.same(await crumbs(), [home, list, page], 'a category without a known URL is left out')
})
