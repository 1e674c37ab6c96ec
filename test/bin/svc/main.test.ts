import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { promisify } from 'node:util'
import t, { type Test } from 'tap'
import { openAdminClient } from '../../../bin/svc/admin-client.ts'
import { parseConfig } from '../../../plugins/config.ts'
import { SESSION_SECRET, temporaryFolder } from '../../helper.ts'
import { testEmbedded } from '../../profile.ts'
import { createSvc, createSvcProcess, runProgram, runSvc, serve, startServer } from '../../processes.ts'
import { photograph } from '../../services/images/sample-images.ts'

const json = (text: string) => JSON.parse(text)
const lines = (text: string) => text.split('\n').filter((line) => line !== '')

/** A folder with two valid blog files and the given files. */
async function blogFolder(t: Test, more: Record<string, string> = {}): Promise<string> {
  const folder = temporaryFolder(t)
  mkdirSync(path.join(folder, 'images'))
  writeFileSync(path.join(folder, 'images', 'photo.jpg'), await photograph(400, 300))
  const files = {
    '2024-01-02-first-steps.md':
      '---\ntitle: First steps\ntags: [walking]\nimage: photo.jpg\nimage_alt: A path\n---\nWords about walking.\n',
    'second.html':
      '---\ntitle: Second steps\nslug: second-steps\ndate: 2024-02-03\nstatus: draft\n---\n<p>More words.</p>\n',
    ...more
  }
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, name), text)
  return folder
}

t.test('prints a session token for key management', async (t) => {
  const data = temporaryFolder(t)
  const svc = createSvc(data)
  const server = await serve(t, data)
  const { code, out, err } = await svc('token', '--account', 'acme', '--expires', '10m')
  t.equal(code, 0)
  t.equal(err, '')
  const made = await fetch(`${server.url}/api/keys`, {
    method: 'POST',
    headers: { authorization: `Bearer ${out.trim()}`, 'content-type': 'application/json' },
    body: '{"name":"Site"}'
  })
  t.equal(made.status, 201)
  const { key } = (await made.json()) as { key: string }
  t.match(key, /^svc_pk_[A-Za-z0-9]+$/)
  t.equal((await fetch(`${server.url}/api/v1/blogs`, { headers: { 'x-api-key': key } })).status, 200)
  t.equal(
    (await fetch(`${server.url}/api/admin/accounts/acme`, { headers: { authorization: `Bearer ${out.trim()}` } }))
      .status,
    403,
    'no administrator by default'
  )
  const admin = json((await svc('token', '--role', 'admin', '--json')).out)
  t.match(admin, { token: String, account: 'demo', expiresInSeconds: 3600 })
  t.equal(
    (await fetch(`${server.url}/api/admin/accounts/acme`, { headers: { authorization: `Bearer ${admin.token}` } }))
      .status,
    200
  )
})

t.test('manages keys and accounts with and without a running server', async (t) => {
  for (const running of [false, true]) {
    await t.test(running ? 'with a server' : 'without a server', async (t) => {
      const data = temporaryFolder(t)
      const svc = createSvc(data)
      const server = running ? await serve(t, data) : null
      const created = await svc(
        'keys',
        'create',
        '--name',
        'Read only',
        '--account',
        'acme',
        '--scopes',
        'blogs:read,images:read',
        '--projects',
        'site'
      )
      t.equal(created.code, 0, created.err)
      t.match(created.out, /^svc_pk_[A-Za-z0-9]+\n$/, 'only the value, so that it can be piped')
      const second = json((await svc('keys', 'create', '--name', 'All', '--account', 'acme', '--json')).out)
      t.match(second, { name: 'All', key: /^svc_pk_/, scopes: { length: 5 } })
      const { keys } = json((await svc('keys', 'list', '--account', 'acme', '--json')).out)
      t.match(keys, [
        { name: 'Read only', scopes: ['blogs:read', 'images:read'], projectIds: ['site'] },
        { name: 'All' }
      ])
      t.notOk(keys.some((key: object) => 'key' in key))
      t.match((await svc('keys', 'list', '--account', 'acme')).out, /active +never used +Read only/)
      t.equal((await svc('keys', 'list', '--account', 'other')).out, 'No API keys.\n')

      t.match(json((await svc('account', 'show', 'acme', '--json')).out), {
        id: 'acme',
        plan: 'starter',
        requestsPerHour: 100
      })
      t.match(json((await svc('account', 'set-plan', 'acme', 'samurai', '--json')).out), {
        plan: 'samurai',
        requestsPerHour: 2000
      })
      t.match(json((await svc('account', 'set-limits', 'acme', '--requests-per-hour', '7777', '--json')).out), {
        requestsPerHour: 7777
      })
      t.match(json((await svc('account', 'set-limits', 'acme', '--requests-per-hour', 'plan', '--json')).out), {
        requestsPerHour: 2000
      })
      t.match(json((await svc('account', 'set-features', 'acme', 'blogs,images', '--json')).out), {
        features: ['blogs', 'images']
      })
      t.match((await svc('account', 'show', 'acme')).out, /plan +samurai[^]*features +blogs, images/)
      if (server === null) return
      const list = await fetch(`${server.url}/api/v1/blogs`, { headers: { 'x-api-key': second.key } })
      t.equal(list.status, 200)
      t.equal(list.headers.get('x-ratelimit-limit'), '2000', 'changes apply immediately')
      t.equal((await fetch(`${server.url}/api/v1/products`, { headers: { 'x-api-key': second.key } })).ok, false)
    })
  }
})

t.test('a key expires at a time, or at the beginning of a day in the local time zone', async (t) => {
  const svc = createSvc(temporaryFolder(t))
  for (const [time, expiresAt] of [
    ['2999-01-31', new Date(2999, 0, 31).toISOString()],
    ['2999-01-31T09:00:00Z', '2999-01-31T09:00:00.000Z']
  ] as const) {
    const { code, out } = await svc('keys', 'create', '--name', 'Short', '--expires-at', time, '--json')
    t.match({ code, key: json(out) }, { code: 0, key: { expiresAt } }, time)
  }
  t.match(await svc('keys', 'create', '--name', 'Short', '--expires-at', 'soon'), {
    code: 2,
    err: /^--expires-at must be a time, such as 2027-01-31 or 2027-01-31T09:00:00Z\.\n/
  })
})

testEmbedded('the link to the console names the server that runs on the data folder, on any port', async (t) => {
  const data = temporaryFolder(t)
  const stopped = await createSvc(data)('console', '--account', 'acme')
  t.match(stopped, { code: 0, out: /^http:\/\/127\.0\.0\.1:3000\/console#\/sign-in\/\S+\n$/ })
  t.equal(stopped.err, `No server is running on ${data}. Start it with "npm start" before you open the link.\n`)
  const server = await serve(t, data)
  const { code, out, err } = await createSvc(data)('console', '--account', 'acme')
  t.match({ code, err }, { code: 0, err: '' })
  const [link = '', linkToken] = out.trim().split('#/sign-in/')
  t.equal(link, `${server.url}/console`)
  const started = await fetch(`${server.url}/api/sessions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ linkToken })
  })
  t.match(await started.json(), { accountId: 'acme' })
  const behindProxy = createSvc(data, { PUBLIC_URL: 'https://content.example' })
  t.match((await behindProxy('console')).out, /^https:\/\/content\.example\/console#/)
})

t.test('imports a folder of blogs with images; a second import changes nothing', async (t) => {
  const svc = createSvc(temporaryFolder(t))
  const folder = await blogFolder(t)
  const first = await svc('import', 'blogs', folder, '--project', 'site', '--account', 'acme')
  t.equal(first.code, 0, first.err)
  t.equal(first.out, '2 files: 2 created, 0 updated, 0 unchanged, 0 failed, 0 with warnings.\n')
  t.match(first.err, /█+ 2\/2 blogs/, 'progress goes to stderr, as lines if it is no terminal')
  t.notMatch(first.err, /\r/)
  const second = await svc('import', 'blogs', folder, '--project', 'site', '--account', 'acme', '--json')
  t.match(json(second.out), {
    files: 2,
    created: 0,
    updated: 0,
    unchanged: 2,
    failed: 0,
    lines: [
      { file: '2024-01-02-first-steps.md', result: 'unchanged' },
      { file: 'second.html', result: 'unchanged' }
    ]
  })
  const all = lines((await svc('export')).out).map(json)
  const blogs = all.filter(({ kind }) => kind === 'blog').map(({ record }) => record)
  t.match(
    blogs.find(({ slug }) => slug === 'first-steps'),
    {
      title: 'First steps',
      status: 'published',
      publishedAt: '2024-01-02T00:00:00.000Z',
      tags: ['walking'],
      projectId: 'site',
      accountId: 'acme',
      images: [{ alt: 'A path' }]
    }
  )
  t.match(
    blogs.find(({ slug }) => slug === 'second-steps'),
    { status: 'draft', publishedAt: '2024-02-03T00:00:00.000Z' }
  )
})

t.test('reports invalid blog files with a reason and imports the others', async (t) => {
  const svc = createSvc(temporaryFolder(t))
  const folder = await blogFolder(t, {
    'no-front-matter.md': 'Just words.\n',
    'no-title.md': '---\ntags: [a]\n---\nWords.\n',
    'bad-yaml.md': '---\ntitle: "never closed\n  - : {\n---\nWords.\n',
    'a-list.md': '---\n- title\n---\nWords.\n',
    'reserved.md': '---\ntitle: Reserved\nslug: categories\n---\nWords.\n',
    'README.md': 'No blog at all.\n'
  })
  const { code, out, err } = await svc('import', 'blogs', folder)
  t.equal(code, 1)
  t.match(out, /^7 files: 2 created, 0 updated, 0 unchanged, 5 failed/)
  for (const reason of [
    /✗ no-front-matter\.md has no front matter/,
    /✗ no-title\.md has no title/,
    /✗ bad-yaml\.md has invalid YAML in its front matter/,
    /✗ a-list\.md has front matter that is not a list of keys and values/,
    /✗ reserved\.md \/slug/
  ]) {
    t.match(err, reason)
  }
  t.notMatch(err, /README|\n +at /)
  const again = await svc('import', 'blogs', folder, '--json')
  t.equal(again.code, 1)
  t.match(json(again.out), { files: 7, unchanged: 2, failed: 5 })
})

t.test('exports all data as lines of JSON, without key values', async (t) => {
  const svc = createSvc(temporaryFolder(t))
  await svc('import', 'blogs', await blogFolder(t), '--project', 'site', '--account', 'acme')
  const key = (await svc('keys', 'create', '--name', 'Mine', '--account', 'acme')).out.trim()
  const { code, out, err } = await svc('export')
  t.equal(code, 0, err)
  t.ok(out.endsWith('\n'))
  const all = lines(out).map(json)
  t.match(
    [all[0], all.at(-1)],
    [
      { kind: 'export', version: 2, secrets: 'encrypted' },
      { kind: 'end', counts: { project: 1, apiKey: 1, blog: 2, image: 1, file: 1 } }
    ]
  )
  t.match(err, /^Exported .*2 blogs.*\.\n$/)
  t.notOk(out.includes(key))
  const at = all.findIndex(({ kind }) => kind === 'file')
  t.match(all[at], { key: /^images\/.*\/original$/, size: (await photograph(400, 300)).length })
  t.ok(Buffer.from(all[at + 1].data, 'base64').equals(await photograph(400, 300)), 'images are exported unchanged')
})

t.test('prints the OpenAPI document', async (t) => {
  const { code, out } = await createSvc(temporaryFolder(t))('openapi')
  t.equal(code, 0)
  t.match(json(out), { openapi: /^3\.1/, paths: { '/api/v1/blogs': Object } })
})

t.test('shows the settings in force with secrets masked', async (t) => {
  const svc = createSvc(temporaryFolder(t), {
    MONGODB_URL: 'mongodb://user:hidden@db.example/x',
    SECRETS_KEY: Buffer.alloc(32, 1).toString('base64'),
    PORT: '4001'
  })
  const { code, out } = await svc('config')
  t.equal(code, 0)
  t.match(out, /^PORT +4001$/m)
  t.match(out, /^SESSION_SECRET +\*\*\*$/m)
  t.match(out, /^MONGODB_URL +\*\*\*$/m)
  t.match(out, /^OPTIMIZER_URL +\(not set\)$/m)
  for (const secret of [SESSION_SECRET, 'hidden', Buffer.alloc(32, 1).toString('base64')]) t.notOk(out.includes(secret))
  t.match(json((await svc('config', '--json')).out), { PORT: 4001, SESSION_SECRET: '***', OPTIMIZER_URL: null })
})

t.test('a usage error exits with 2 and has no effect', async (t) => {
  const data = path.join(temporaryFolder(t), 'never-made')
  const svc = createSvc(data)
  for (const [args, sentence] of [
    [['nonsense'], /^Unknown command "nonsense"\.\nRun "svc help" for usage\.\n$/],
    [
      ['keys'],
      /^"svc keys" is incomplete\. Use one of: keys create, keys list\.\nRun "svc keys --help" for usage\.\n$/
    ],
    [['keys', 'crate'], /^Unknown command "keys crate"\. Did you mean "svc keys create"\?\n/],
    [['kyes', 'list'], /^Unknown command "kyes"\. Did you mean "svc keys list"\?\n/],
    [['chekc'], /^Unknown command "chekc"\. Did you mean "svc check"\?\n/],
    [['config', '--nope'], /^Unknown option --nope\.\nUsage: svc config\nRun "svc config --help" for usage\.\n$/],
    [['config', '-x'], /^Unknown option -x\.\n/],
    [
      ['check', '--environments', 'live'],
      /^Unknown option --environments\. Did you mean --environment\?\nUsage: svc check /
    ],
    [['keys', 'create', '--name'], /^--name requires a value\.\n/],
    [
      ['keys', 'create', '--name', '--account', 'x'],
      /^--name requires a value\. If it starts with a dash, write --name=VALUE\.\n/
    ],
    [['config', '--json=yes'], /^--json does not take a value\.\n/],
    [['keys', 'create'], /--name is required[^]*\nRun "svc keys create --help" for usage\.\n$/],
    [['account', 'set-plan', 'acme'], /^PLAN is required\.\nUsage: svc account set-plan ACCOUNT PLAN\n/],
    [['account', 'set-limits', 'acme', '--requests-per-hour', 'many'], /whole number/],
    [['token', '--expires', 'soon'], /--expires/],
    [['token', '--role', 'king'], /--role/],
    [['import', 'blogs', '/no/such/folder'], /not a folder/],
    [['import', 'blogs'], /^FOLDER is required\.\nUsage: svc import blogs FOLDER \[options\]\n/],
    [['import', 'prodcts', 'a.csv'], /^Unexpected argument "a\.csv"\. Did you mean "svc import products"\?\n/],
    [['console', 'acme'], /^Unexpected argument "acme"\.\nUsage: svc console \[options\]\n/],
    [['queues', 'retry'], /^JOB is required\.\nUsage: svc queues retry JOB \[ID\]\n/],
    [['account', 'set-features', 'acme'], /^FEATURE,… is required\.\n/]
  ] as const) {
    const { code, out, err } = await svc(...args)
    t.equal(code, 2, args.join(' '))
    t.equal(out, '')
    t.match(err, sentence, args.join(' '))
    t.notMatch(err, /\n +at /)
  }
  const asJson = await svc('nonsense', '--json')
  t.equal(asJson.code, 2)
  t.match(json(asJson.out), { error: { detail: /nonsense/ } })
  t.throws(() => statSync(data), 'no data folder was created')
})

t.test('help lists every command', async (t) => {
  const svc = createSvc(temporaryFolder(t))
  for (const args of [[], ['help'], ['--help']]) {
    const { code, out } = await svc(...args)
    t.equal(code, 0)
    for (const command of [
      'token',
      'keys create',
      'keys list',
      'account show',
      'account set-plan',
      'account set-limits',
      'account set-features',
      'import blogs',
      'export',
      'import',
      'secrets rotate-key',
      'secrets accept-key',
      'openapi',
      'config'
    ]) {
      t.ok(out.includes(command), command)
    }
  }
  t.match((await svc('keys', 'create', '--help')).out, /--scopes/)
})

t.test('an error response of the service exits with 1', async (t) => {
  const svc = createSvc(temporaryFolder(t))
  const plan = await svc('account', 'set-plan', 'acme', 'gold')
  t.equal(plan.code, 1)
  t.match(plan.err, /starter, sage, samurai/)
  const scopes = await svc('keys', 'create', '--name', 'x', '--scopes', 'blogs:everything', '--json')
  t.equal(scopes.code, 1)
  t.match(json(scopes.out), { error: { status: 400, errors: [{ pointer: /scopes/ }] } })
  t.notMatch(plan.err + scopes.err, /\n +at /)
  const name = await svc('keys', 'create', '--name', ' ')
  t.match(name.err, /^Invalid request: \/name must .*\n$/, 'an error that is the detail is printed once')
})

testEmbedded('an unusable data folder is reported in one message', async (t) => {
  const folder = temporaryFolder(t)
  writeFileSync(path.join(folder, 'a-file'), '')
  for (const args of [['keys', 'list'], ['token']]) {
    const { code, err } = await runSvc(args, { env: { DATA_DIR: path.join(folder, 'a-file', 'data') } })
    t.equal(code, 1, args.join(' '))
    t.match(err, /a-file/)
    t.notMatch(err, /\n +at /)
  }
})

t.test('reads settings from an .env file in the working directory', async (t) => {
  const folder = temporaryFolder(t)
  writeFileSync(path.join(folder, '.env'), 'DATA_DIR=./from-env\nDEFAULT_PLAN=sage\n')
  t.match(json((await runProgram('svc', ['config', '--json'], { cwd: folder })).out), {
    DATA_DIR: './from-env',
    DEFAULT_PLAN: 'sage'
  })
  t.match(
    json((await runProgram('svc', ['config', '--json'], { cwd: folder, env: { DEFAULT_PLAN: 'samurai' } })).out),
    { DEFAULT_PLAN: 'samurai' },
    'the environment takes precedence'
  )
  const key = await runProgram('svc', ['keys', 'create', '--name', 'x'], { cwd: folder })
  t.equal(key.code, 0, key.err)
  t.ok(statSync(path.join(folder, 'from-env')).isDirectory())
  const secret = path.join(folder, 'from-env', 'secrets', 'session')
  t.equal(statSync(secret).mode & 0o777, 0o600, 'only the user can read the generated secret')
})

testEmbedded('the command line works after a server was killed', async (t) => {
  const data = temporaryFolder(t)
  const svc = createSvc(data)
  const server = await startServer(t, data)
  t.equal((await svc('keys', 'create', '--name', 'Before', '--account', 'acme')).code, 0)
  await server.end('SIGKILL')
  t.equal(json(readFileSync(path.join(data, 'server.json'), 'utf8')).url, server.url, 'its pid file was left behind')
  const { code, out, err } = await svc('keys', 'list', '--account', 'acme')
  t.equal(code, 0, err)
  t.match(out, /Before/)
})

testEmbedded('another program at the address of a killed server receives no credentials', async (t) => {
  const data = temporaryFolder(t)
  const svc = createSvc(data)
  const server = await startServer(t, data)
  await svc('keys', 'create', '--name', 'Ours', '--account', 'acme')
  await server.end('SIGKILL')
  const requests: string[] = []
  const other = http.createServer((request, response) => {
    requests.push(
      `${request.method} ${request.url} ${request.headers.authorization === undefined ? '' : 'with a token'}`
    )
    response.setHeader('content-type', 'application/json').end('{"keys":[]}')
  })
  await new Promise<void>((resolve) => {
    other.listen(0, '127.0.0.1', resolve)
  })
  t.teardown(() => {
    other.close()
  })
  const note = path.join(data, 'server.json')
  writeFileSync(
    note,
    JSON.stringify({
      ...json(readFileSync(note, 'utf8')),
      url: `http://127.0.0.1:${(other.address() as AddressInfo).port}`
    })
  )
  const { code, out } = await svc('keys', 'list', '--account', 'acme')
  t.equal(code, 0)
  t.match(out, /Ours/)
  t.notOk(
    requests.some((line) => line.endsWith('with a token')),
    'no token was sent'
  )
})

testEmbedded('commands are not subject to the request limit of an account', async (t) => {
  const env = { DATA_DIR: temporaryFolder(t), DEMO_CONTENT: 'off' }
  const client = await openAdminClient(env, parseConfig(env))
  t.teardown(() => client.close())
  for (let n = 0; n < 110; n++) await client.call('GET', '/api/keys', { account: 'acme' })
  t.match(await client.call('GET', '/api/admin/accounts/acme'), { plan: 'starter', requestsPerHour: 100 })
})

t.test('npm run svc runs the same command line', async (t) => {
  const root = path.resolve(import.meta.dirname, '../../..')
  const { stdout } = await promisify(execFile)('npm', ['run', '--silent', 'svc', '--', 'config', '--json'], {
    cwd: root,
    env: { ...process.env, DATA_DIR: temporaryFolder(t), PORT: '4321' }
  })
  t.match(json(stdout), { PORT: 4321 })
})

t.test('the process exits with the exit code of the command and prints to its streams', async (t) => {
  const svc = createSvcProcess(temporaryFolder(t))
  for (const [args, expected] of [
    [['config', '--json'], { code: 0, out: /^\{.*\}\n$/, err: '' }],
    [['account', 'set-plan', 'acme', 'gold'], { code: 1, out: '', err: /starter, sage, samurai/ }],
    [['nonsense'], { code: 2, out: '', err: /^Unknown command "nonsense"/ }]
  ] as const) {
    t.match(await svc(...args), expected, args.join(' '))
  }
})
