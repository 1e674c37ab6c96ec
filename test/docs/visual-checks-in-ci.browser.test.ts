import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import t from 'tap'
import { client, person, publish, startApp, temporaryFolder } from '../helper.ts'
import { startProgram } from '../processes.ts'
import { freePort } from '../servers/index.ts'

const guides = path.resolve(import.meta.dirname, '../../docs/guides')

/** The first program of a guide. */
const programOf = (name: string): string =>
  /^```js\n([\s\S]*?)^```$/m.exec(readFileSync(path.join(guides, `${name}.md`), 'utf8'))![1]!

t.test('the program of the guide checks all posts and fails for a broken page', { timeout: 300_000 }, async (t) => {
  const site = programOf('blog-on-your-site')
  const [, projectId] = /PROJECT = '([^']+)'/.exec(site)!
  const folder = temporaryFolder(t)
  writeFileSync(path.join(folder, 'site.mjs'), site)
  writeFileSync(path.join(folder, 'check-pages.mjs'), programOf('visual-checks-in-ci'))

  const port = await freePort()
  const siteUrl = `http://127.0.0.1:${port}`
  const app = await startApp(t, { DEMO_CONTENT: 'off', PORT: '0', OUTBOUND_ALLOW: '127.0.0.1' })
  await app.listen({ host: '127.0.0.1', port: 0 })
  const call = await client(app)
  const owner = await person(app, 'acme')
  await owner('POST', '/api/projects', { id: projectId, siteUrl, blogPath: '/journal' })
  await publish(call, { projectId, title: 'Green tea', markdown: 'Water & leaves.\n\n## Time\n\nThree minutes.' })
  await publish(call, { projectId, title: 'Black tea', markdown: 'Boiling water.\n\n## Time\n\nFive minutes.' })
  const settings = { SVC_URL: app.publicUrl, SVC_KEY: call.key }
  const running = startProgram(t, [path.join(folder, 'site.mjs')], { ...settings, PORT: String(port) })
  await running.waitForOutput(/http:\/\/localhost:\d+\/journal\n/)

  const check = async (env: Record<string, string>) => {
    const child = spawn(process.execPath, ['check-pages.mjs'], {
      cwd: folder,
      env: { PATH: process.env.PATH, ...settings, PROJECT: projectId, ...env },
      stdio: ['ignore', 'pipe', 'pipe']
    })
    const [[code], out, err] = await Promise.all([once(child, 'exit'), text(child.stdout), text(child.stderr)])
    return { code: code as number, lines: out.trimEnd().split('\n').sort(), err }
  }
  const results = () => readdirSync(path.join(folder, 'visual-checks')).sort()
  const junit = () => readFileSync(path.join(folder, 'visual-checks/junit.xml'), 'utf8')

  const good = await check({ SITE: `${siteUrl}/journal` })
  t.strictSame(good, {
    code: 0,
    lines: [`passed  100  ${siteUrl}/journal/black-tea`, `passed  100  ${siteUrl}/journal/green-tea`],
    err: ''
  })
  t.match(junit(), /tests="2" failures="0"/)
  t.strictSame(results(), ['junit.xml'])

  const bad = await check({ SITE: `${siteUrl}/elsewhere` })
  t.equal(bad.code, 1)
  t.strictSame(
    bad.lines.map((line) => line.split('  ')[0]),
    ['failed', 'failed']
  )
  t.match(junit(), /tests="2" failures="2"/)
  t.match(junit(), /<failure message="score \d+, at least 90">critical: /)
  t.strictSame(results(), ['black-tea.html', 'green-tea.html', 'junit.xml'])

  const unauthorized = await check({ SITE: siteUrl, SVC_KEY: 'svc_pk_wrong' })
  t.equal(unauthorized.code, 1)
  t.match(unauthorized.err, /\/api\/v1\/blogs\?projectId=/)
})
