import t from 'tap'
import { signPreview } from '../../../../../services/images/index.ts'
import { client, person, startApp } from '../../../../helper.ts'
import { halves } from '../../../../services/images/sample-images.ts'

const BLOGS = '/api/v1/blogs'
const DAY_MS = 24 * 3_600_000

/** The path of an absolute URL of the service. */
const local = (url: string) => url.replace(/^https?:\/\/[^/]+/, '').replaceAll('&amp;', '&')

/** A draft with an image, and its preview link. */
async function previewed(t: Parameters<typeof startApp>[0], words: Record<string, unknown> = {}) {
  const app = await startApp(t)
  const call = await client(app)
  const { id } = (
    await call('POST', BLOGS, {
      projectId: 'site',
      title: 'Not yet public',
      markdown: 'Secret plans. ![Half and half](halves.png)',
      ...words
    })
  ).json()
  await call('POST', `${BLOGS}/${id}/images?filename=halves.png`, await halves(700, 350).png().toBuffer(), {
    'content-type': 'image/png'
  })
  const link = await call('POST', `${BLOGS}/${id}/preview`)
  const { url, expiresAt } = link.json() as { url: string; expiresAt: string }
  const anybody = async (path: string) => await app.inject({ method: 'GET', url: path })
  return { app, call, id, link, url, expiresAt, anybody, token: new URL(url).searchParams.get('token')! }
}

t.test('a preview link shows the draft for 24 hours without a credential', async (t) => {
  const { link, url, expiresAt, anybody } = await previewed(t)
  t.equal(link.statusCode, 200)
  t.equal(link.headers['cache-control'], 'no-store')
  t.ok(Math.abs(Date.parse(expiresAt) - Date.now() - DAY_MS) < 60_000)
  const page = await anybody(local(url))
  t.equal(page.statusCode, 200)
  t.match(page.headers['content-type'], 'text/html')
  t.match(page.body, '<h1>Not yet public</h1>')
  t.match(page.body, 'Secret plans.')
  t.match(page.body, 'draft')
})

t.test('a preview is not cached or indexed and runs no scripts', async (t) => {
  const { url, anybody } = await previewed(t)
  const { headers, body } = await anybody(local(url))
  t.equal(headers['cache-control'], 'no-store')
  t.equal(headers['x-robots-tag'], 'noindex')
  t.equal(headers['referrer-policy'], 'no-referrer', 'the link is not sent to other websites')
  t.match(headers['content-security-policy'], "default-src 'none'")
  t.notMatch(headers['content-security-policy'], /script-src|unsafe-eval/)
  t.match(body, '<meta name="robots" content="noindex">')
  t.notOk('etag' in headers)
})

t.test('the title of a draft is escaped', async (t) => {
  const { url, anybody } = await previewed(t, { title: '</title><script>alert(1)</script>', locale: 'en' })
  t.notMatch((await anybody(local(url))).body, /<script/)
})

t.test('images of a draft need the token and are not cached', async (t) => {
  const { url, anybody, id, token } = await previewed(t)
  const html = (await anybody(local(url))).body
  const addresses = [...html.matchAll(/(?:src|srcset)="([^"]+)"/g)].flatMap(([, value]) =>
    value!.split(',').map((part) => local(part.trim().split(' ')[0]!))
  )
  t.ok(addresses.length >= 3, 'the image has several widths')
  for (const address of addresses) {
    const picture = await anybody(address)
    t.equal(picture.statusCode, 200, address)
    t.equal(picture.headers['cache-control'], 'no-store')
    t.equal(picture.headers['x-robots-tag'], 'noindex')
    const bare = address.replace(/([?&])token=[^&]+&?/, '$1').replace(/[?&]$/, '')
    t.not(bare, address)
    t.match((await anybody(bare)).json(), { status: 404, code: 'image_not_found' }, bare)
  }
  const social = await anybody(`${BLOGS}/images/${id}/og-0000000000000000.jpg?token=${token}`)
  t.equal(social.statusCode, 404)
})

t.test('a tampered, foreign or invented token is rejected', async (t) => {
  const { call, id, url, token, anybody } = await previewed(t)
  const other = (await call('POST', BLOGS, { projectId: 'site', title: 'Another', markdown: 'x' })).json().id
  const [expiry, signature] = token.split('.') as [string, string]
  const swapped = signature.startsWith('A') ? `B${signature.slice(1)}` : `A${signature.slice(1)}`
  for (const wrong of [
    `${expiry}.${swapped}`,
    `${(Number.parseInt(expiry, 36) + 1).toString(36)}.${signature}`,
    `${expiry}`,
    'x',
    `${token}x`,
    `${expiry}.${signature.slice(0, -1)}`
  ]) {
    t.match(
      (await anybody(`${BLOGS}/${id}/preview?token=${wrong}`)).json(),
      { status: 404, code: 'blog_not_found' },
      wrong
    )
  }
  t.match((await anybody(`${BLOGS}/${other}/preview?token=${token}`)).json(), { status: 404, code: 'blog_not_found' })
  t.match((await anybody(`${BLOGS}/${id}/preview`)).json(), {
    status: 400,
    code: 'invalid_request',
    errors: [{ pointer: 'token', code: 'required' }]
  })
  t.equal((await anybody(local(url))).statusCode, 200)
  const restarted = await startApp(t)
  t.equal(
    (await restarted.inject({ method: 'GET', url: local(url) })).statusCode,
    404,
    'a token of another secret is rejected'
  )
})

t.test('a preview link expires after 24 hours', async (t) => {
  const key = Buffer.alloc(32, 7)
  const app = await startApp(t, { SECRETS_KEY: key.toString('base64') })
  const call = await client(app)
  const blog = (await call('POST', BLOGS, { projectId: 'site', title: 'Ending', markdown: 'x' })).json()
  const show = async (expiresAt: number) =>
    (
      await app.inject({
        method: 'GET',
        url: `${BLOGS}/${blog.id}/preview?token=${signPreview({ blogId: blog.id, expiresAt }, key)}`
      })
    ).statusCode
  t.equal(await show(Date.now() + 60_000), 200)
  t.equal(await show(Date.now() - 1), 404)
})

t.test('a preview shows the current state and ends when the blog is deleted', async (t) => {
  const { call, id, url, anybody } = await previewed(t)
  await call('PATCH', `${BLOGS}/${id}`, { title: 'Changed since' })
  t.match((await anybody(local(url))).body, '<h1>Changed since</h1>')
  await call('POST', `${BLOGS}/${id}/publish`)
  t.match((await anybody(local(url))).body, 'published')
  await call('DELETE', `${BLOGS}/${id}`)
  t.match((await anybody(local(url))).json(), { status: 404 })
})

t.test('a preview in a right-to-left language has dir="rtl"', async (t) => {
  const arabic = await previewed(t, { title: 'قهوة', locale: 'ar', markdown: 'قهوة بالهيل.' })
  t.ok((await arabic.anybody(local(arabic.url))).body.includes('<html lang="ar" dir="rtl">'))
  const english = await previewed(t, { locale: 'en-GB' })
  t.ok((await english.anybody(local(english.url))).body.includes('<html lang="en-GB" dir="ltr">'))
})

t.test('a preview link requires the scope blogs:write', async (t) => {
  const { app, id } = await previewed(t)
  const reader = await client(app, 'acme', { scopes: ['blogs:read'] })
  t.match((await reader('POST', `${BLOGS}/${id}/preview`)).json(), { status: 403, code: 'scope_missing' })
  const otherAccount = await client(app, 'zeta')
  t.match((await otherAccount('POST', `${BLOGS}/${id}/preview`)).json(), { status: 404, code: 'blog_not_found' })
})

t.test('a preview shows other settings of the project without saving them', async (t) => {
  const { app, url, anybody } = await previewed(t)
  const call = await person(app, 'acme')
  await call('PATCH', '/api/projects/site', { maxWidth: '46rem', accentColor: '#7b3f00' })
  const plain = (await anybody(local(url))).body
  t.match(plain, 'max-width:46rem')
  t.match(plain, 'value="46rem"')
  t.match(plain, '<option selected>inherit</option>')
  const query = '&colorScheme=dark&maxWidth=&accentColor=%23123456&fontFamily=Inter,+serif&page=dark'
  const changed = await anybody(local(url) + query)
  t.equal(changed.statusCode, 200)
  t.match(changed.body, ':root{color-scheme:dark}')
  t.match(changed.body, 'var(--svc-link,#123456)')
  t.match(changed.body, 'font-family:"Inter",serif')
  t.notMatch(changed.body, '46rem;', 'an empty value stands for null')
  t.match(changed.body, '<option selected>dark</option>')
  t.match((await call('GET', '/api/projects')).json().projects, [{ maxWidth: '46rem', colorScheme: 'inherit' }])
  for (const bad of [
    'colorScheme=x',
    'accentColor=red',
    'maxWidth=1px}',
    'fontFamily=%3C/style%3E',
    'page=x',
    'other=1'
  ]) {
    t.equal((await anybody(`${local(url)}&${bad}`)).statusCode, 400, bad)
  }
})

t.test('a token of a preview link shows a draft by its slug or id, to the keys that may read it', async (t) => {
  const app = await startApp(t)
  const call = await client(app)
  const draft = { projectId: 'site', title: 'Not yet', markdown: 'Text', slug: 'not-yet' }
  const { id } = (await call('POST', '/api/v1/blogs', draft)).json() as { id: string }
  const other = (await call('POST', '/api/v1/blogs', { ...draft, slug: 'other' })).json() as { id: string }
  const tokenOf = async (blogId: string) =>
    ((await call('POST', `/api/v1/blogs/${blogId}/preview`)).json() as { token: string }).token
  const token = await tokenOf(id)
  const path = '/api/v1/blogs/not-yet'
  t.equal((await call('GET', path)).statusCode, 404)
  const shown = await call('GET', `${path}?preview=${encodeURIComponent(token)}`)
  t.match(shown.json(), { id, title: 'Not yet', slug: 'not-yet', htmlContent: /Text/, publishedAt: String })
  t.match(shown.headers, { 'cache-control': 'no-store', 'x-robots-tag': 'noindex' })
  t.equal((await call('GET', path)).statusCode, 404, 'and nobody else sees it')
  for (const wrong of [await tokenOf(other.id), 'x', token.slice(0, -1)]) {
    t.match((await call('GET', `${path}?preview=${wrong}`)).json(), { status: 404, code: 'blog_not_found' })
  }
  const confined = await client(app, 'acme', { projectIds: ['another'] })
  const zeta = await client(app, 'zeta')
  const byId = `/api/v1/blogs/${id}`
  t.match((await call('GET', `${byId}?preview=${token}`)).json(), { id, slug: 'not-yet' })
  t.equal((await call('GET', `${byId}?preview=${token}&projectId=another`)).statusCode, 404, 'another project')
  for (const address of [path, byId]) {
    t.equal((await confined('GET', `${address}?preview=${token}`)).statusCode, 404, 'a key of another project')
    t.equal((await zeta('GET', `${address}?preview=${token}`)).statusCode, 404, 'a key of another account')
  }
  await call('PATCH', `/api/v1/blogs/${id}`, { title: 'Soon' })
  t.match((await call('GET', `${path}?preview=${token}`)).json(), { title: 'Soon' })
})
