import { setTimeout as wait } from 'node:timers/promises'
import { stripVTControlCharacters } from 'node:util'
import type { Test } from 'tap'
import { temporaryFolder } from '../helper.ts'
import { startServer } from '../processes.ts'
import { testEmbedded } from '../profile.ts'

/** A stand-in for a terminal. */
const TERMINAL = { NODE_OPTIONS: '--import=data:text/javascript,process.stdout.isTTY=true' }

/** Starts a service, and returns what it prints until its banner is complete. */
async function printed(t: Test, data: string, env: Record<string, string>): Promise<{ url: string; out: string }> {
  const server = await startServer(t, data, env)
  // Log lines may follow.
  while (!/All commands.*\n(?:[^{]*\n)?\n/.test(server.out())) await wait(20)
  if (env.LOG_LEVEL === 'info') while (!server.out().includes('Server listening')) await wait(20)
  await server.end('SIGTERM')
  return { url: server.url, out: stripVTControlCharacters(server.out()) }
}

/** The labels of the banner. */
const labels = (out: string): string[] => [...out.matchAll(/^ {2}(\S.*?) {2,}\S/gm)].map(([, label]) => label!)

const LABELS = [
  'Address',
  'Console',
  'Demo websites',
  'Documentation',
  'API reference',
  'Data',
  'New link',
  'New API key',
  'Session token',
  'All commands'
]

testEmbedded(
  'every start prints where to go, and the first one also the demo key with commands to try it',
  async (t) => {
    const data = temporaryFolder(t)
    const first = await printed(t, data, { DEMO_CONTENT: 'auto', LOG_LEVEL: 'info', ...TERMINAL })
    const second = await printed(t, data, { DEMO_CONTENT: 'auto', LOG_LEVEL: 'info' })
    for (const { out } of [first, second]) {
      t.strictSame(labels(out), LABELS)
      const lines = out.split('\n').filter((line) => !/^(?: {2}Console| {2}Data|\{)/.test(line))
      t.strictSame(
        lines.filter((line) => line.length > 80),
        [],
        'only the link and the path of a folder may be wider than a terminal'
      )
      t.equal(out.match(/Server listening/g)?.length, 1)
    }
    const { url, out } = first
    t.match(out, `\n  Documentation  ${url}/docs\n  API reference  ${url}/docs/api   (OpenAPI: /openapi.json)\n`)
    t.match(out, /shown only this once.*\n\n {2}export SVC_URL=http.*\n {2}export SVC_KEY=svc_pk_\w+\n {2}curl /)
    t.notMatch(second.out, /SVC_KEY|shown only/)
    t.match(out, /^\n {2}Adding the demo content …\n\n {2}Blog and product/, 'on a terminal, log lines follow')
    t.match(second.out, /^\{.*"msg":"Server listening at http:.*\}\n\n {2}Blog and product/, 'other logs are complete')
  }
)

testEmbedded('without the demo, the banner names no demo websites and no key', async (t) => {
  const { out } = await printed(t, temporaryFolder(t), { DEMO_CONTENT: 'off' })
  t.strictSame(
    labels(out),
    LABELS.filter((label) => label !== 'Demo websites')
  )
  t.notMatch(out, /SVC_KEY/)
})
