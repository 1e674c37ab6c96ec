import t from 'tap'
import { client, publish, startApp } from '../../../../helper.ts'

const root = process.platform === 'linux' && process.getuid?.() === 0 ? {} : { skip: 'needs to run as root' }

t.test('as root, a visual check responds with 503 and names the setting', root, async (t) => {
  const app = await startApp(t, { DEMO_CONTENT: 'off', BROWSER_SANDBOX: 'on' })
  const call = await client(app)
  const { id } = await publish(call, { title: 'Green tea' })
  const sandbox = async () => (await app.inject('/health')).json().browser.sandbox
  t.equal(await sandbox(), null)
  const answer = await call('POST', `/api/v1/blogs/${id}/visual-check`, { url: 'https://tea.example/green' })
  t.match(answer.json(), { status: 503, code: 'unavailable', detail: /runs as root.*BROWSER_SANDBOX=off/ })
  t.equal(await sandbox(), 'unavailable')
  t.match((await app.inject('/metrics')).body, /^svc_browser_sandbox\{state="unavailable"\} 1$/m)
  t.equal((await call('GET', `/api/v1/blogs/${id}/visual-checks`)).json().totalCount, 0)
})
