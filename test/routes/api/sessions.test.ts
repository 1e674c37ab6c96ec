import t from 'tap'
import { signLinkToken } from '../../../services/auth/sign-in-links.ts'
import { runCommand } from '../../../bin/svc/main.ts'
import { appSettings, client, person, sessionToken, SESSION_SECRET, startApp, temporaryFolder } from '../../helper.ts'

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

t.test('the token of a sign-in link starts a session, once', async (t) => {
  const app = await startApp(t)
  const linkToken = await signLinkToken(SESSION_SECRET, 'acme')
  const answers = await Promise.all(
    Array.from({ length: 4 }, async () => app.inject({ method: 'POST', url: '/api/sessions', payload: { linkToken } }))
  )
  const started = answers.filter(({ statusCode }) => statusCode === 201)
  t.equal(started.length, 1, 'also when it is used several times at once')
  t.match(
    answers.filter((answer) => !started.includes(answer)).map((answer) => answer.json()),
    Array.from({ length: 3 }, () => ({ status: 401, code: 'unauthenticated', detail: /used already/ }))
  )
  const session = started[0]!.json() as { token: string; accountId: string; expiresAt: string }
  t.equal(session.accountId, 'acme')
  t.ok(Date.parse(session.expiresAt) > Date.now())
  t.equal(started[0]!.headers['cache-control'], 'no-store')
  const account = await app.inject({ url: '/api/account', headers: bearer(session.token) })
  t.match(account.json(), { id: 'acme' })
})

t.test('link tokens and session tokens are not accepted in place of each other', async (t) => {
  const app = await startApp(t)
  const linkToken = await signLinkToken(SESSION_SECRET, 'acme')
  t.equal((await app.inject({ url: '/api/account', headers: bearer(linkToken) })).statusCode, 401)
  const exchange = async (token: string) =>
    (await app.inject({ method: 'POST', url: '/api/sessions', payload: { linkToken: token } })).statusCode
  t.equal(await exchange(await sessionToken('acme')), 401)
  t.equal(await exchange(await signLinkToken('another secret that is long enough', 'acme')), 401)
  t.equal(await exchange('not a token'), 401)
  t.equal(await exchange(linkToken), 201)
})

t.test('svc console prints a link that the server accepts', async (t) => {
  const folder = temporaryFolder(t)
  const app = await startApp(t, { DATA_DIR: folder })
  const lines: string[] = []
  const stream = { write: (text: string) => lines.push(text) > 0 }
  const code = await runCommand(['console', '--account', 'acme'], {
    env: { ...(await appSettings(folder)), PUBLIC_URL: 'https://blogs.example' },
    stdout: stream,
    stderr: { write: () => true }
  } as unknown as Parameters<typeof runCommand>[1])
  t.equal(code, 0)
  const [, linkToken] = /^https:\/\/blogs\.example\/console#\/sign-in\/(\S+)\n$/.exec(lines.join('')) ?? []
  const answer = await app.inject({ method: 'POST', url: '/api/sessions', payload: { linkToken } })
  t.match(answer.json(), { accountId: 'acme' })
})

t.test('with an identity provider, there are no sign-in links', async (t) => {
  const app = await startApp(t, { SESSION_SECRET: '', SESSION_JWKS_URL: 'https://login.example/keys' })
  t.equal(await app.services.signInLinks.create('acme'), null)
  const linkToken = await signLinkToken(SESSION_SECRET, 'acme')
  const answer = await app.inject({ method: 'POST', url: '/api/sessions', payload: { linkToken } })
  t.match(answer.json(), { status: 401, detail: /identity provider/ })
})

t.test('a session token has access to /api/v1, to its own account, without the limit of the keys', async (t) => {
  const app = await startApp(t)
  const key = await client(app, 'acme')
  const created = await key('POST', '/api/v1/blogs', { projectId: 'site', title: 'A draft', markdown: 'Text' })
  const { id } = created.json() as { id: string }
  const user = await person(app, 'acme')
  const read = await user('GET', `/api/v1/blogs/by-id/${id}`)
  t.equal(read.statusCode, 200)
  t.match((await user('GET', '/api/v1/blogs?status=draft')).json(), { totalCount: 1 })
  t.equal((await (await person(app, 'other'))('GET', `/api/v1/blogs/by-id/${id}`)).statusCode, 404)
  const before = Number((await key('GET', '/api/v1/blogs')).headers['x-ratelimit-remaining'])
  await user('GET', '/api/v1/blogs')
  t.equal(Number((await key('GET', '/api/v1/blogs')).headers['x-ratelimit-remaining']), before - 1)
  t.match((await app.inject({ url: '/api/v1/blogs', headers: bearer('a.b.c') })).json(), { status: 401 })
  await app.services.accounts.update('acme', { features: ['webhooks'] })
  t.match((await user('GET', '/api/v1/blogs')).json(), { status: 403, code: 'feature_not_in_plan' })
})
