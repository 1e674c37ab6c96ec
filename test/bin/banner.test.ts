import type { Test } from 'tap'
import { temporaryFolder } from '../helper.ts'
import { startServer } from '../processes.ts'
import { testEmbedded } from '../profile.ts'

/** Starts a service with its demo, and returns what it prints until its banner is complete. */
async function printed(t: Test, data: string, env: Record<string, string> = {}): Promise<{ url: string; out: string }> {
  const server = await startServer(t, data, { DEMO_CONTENT: 'auto', ...env })
  // The banner is written at once, but its end may be in a later chunk.
  while (!server.out().endsWith('\n\n')) await new Promise((resolve) => setTimeout(resolve, 20))
  const out = server.out()
  await server.end('SIGTERM')
  return { url: server.url, out }
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
    const first = await printed(t, data)
    t.strictSame(labels(first.out), LABELS)
    t.match(
      first.out,
      `  Documentation  ${first.url}/docs\n  API reference  ${first.url}/docs/api   (OpenAPI: /openapi.json)\n`
    )
    t.match(first.out, /shown only this once.*\n\n {2}export SVC_URL=http.*\n {2}export SVC_KEY=svc_pk_\w+\n {2}curl /)
    const second = await printed(t, data)
    t.strictSame(labels(second.out), LABELS)
    t.notMatch(second.out, /SVC_KEY|shown only/)
    for (const { out } of [first, second]) {
      const lines = out.split('\n').filter((line) => !/^ {2}(?:Console|Data) /.test(line))
      t.strictSame(
        lines.filter((line) => line.length > 80),
        [],
        'only the link and the path of a folder may be wider than a terminal'
      )
    }
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
