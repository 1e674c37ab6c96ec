import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { DEMO } from '../../schemas/examples/demo.ts'
import { renderCurl } from '../../routes/docs/pages/curl.ts'
import { sessionToken, startApp } from '../helper.ts'
import { operationsOf } from './operations.ts'

const run = promisify(execFile)
const app = await startApp(t, { HOST: '127.0.0.1', PORT: '0' })
await app.listen({ host: '127.0.0.1', port: 0 })
const key = await app.seedDemo()
if (key === null) throw new Error('The demo content is missing.')
const document = await app.openApiDocument()
const operations = operationsOf(document)
const environment = {
  PATH: process.env.PATH,
  SVC_KEY: key,
  SVC_TOKEN: await sessionToken('demo', { role: 'admin' })
}

/** Runs a sample as a shell does when it is pasted. */
async function paste(command: string): Promise<{ status: number; body: string }> {
  const { stdout } = await run('sh', ['-c', `${command} -sS -w '\\n%{http_code}'`], {
    env: environment,
    // The files of the samples are here.
    cwd: path.resolve(import.meta.dirname, '../../examples/demo'),
    maxBuffer: 64 * 1024 * 1024
  })
  const end = stdout.lastIndexOf('\n')
  return { status: Number(stdout.slice(end + 1)), body: stdout.slice(0, end) }
}

const sampleOf = (operationId: string): string =>
  renderCurl(operations.find(({ operation }) => operation.operationId === operationId)!, document)

t.test('every sample of a GET operation succeeds on the demo content', async (t) => {
  const preview = await paste(sampleOf('previewBlog'))
  const { token } = JSON.parse(preview.body) as { token: string }
  const reads = operations.filter(({ method }) => method === 'get')
  t.ok(reads.length > 40, 'the operations were found')
  for (const listed of reads) {
    // The token of a preview is a credential too: it is signed, and expires.
    const command = renderCurl(listed, document).replace('token=token', `token=${token}`)
    const { status, body } = await paste(command)
    // The demo checks a page when it has started, if there is a browser: test/routes/demo/checks.browser.test.ts.
    const expected = command.includes(DEMO.checkId) ? /^404/ : /^2/
    t.match(status, expected, `${command}\n${body.slice(0, 300)}`)
  }
})

/** Operations that need a state which the demo does not have, or a browser. */
const NOT_IN_THE_DEMO: Readonly<Record<string, number | null>> = {
  createSession: 401, // Sign-in links are valid once, for 15 minutes.
  retryDeadJobs: 404, // No job has failed.
  cancelProductImport: 409, // The import has ended.
  checkBlogVisually: null,
  checkBlogVisuallyFor: null
}

t.test('every sample of a POST or PATCH operation is accepted', async (t) => {
  const writes = operations.filter(
    ({ method, operation }) => ['post', 'patch'].includes(method) && NOT_IN_THE_DEMO[operation.operationId] !== null
  )
  t.ok(writes.length > 30, 'the operations were found')
  for (const listed of writes) {
    const command = renderCurl(listed, document)
      .replace('@file', '@products.ndjson')
      .replace('@image.jpg', '@harbor-coffee/images/roaster.webp')
    const { status, body } = await paste(command)
    const expected = NOT_IN_THE_DEMO[listed.operation.operationId]
    const title = `${command}\n${body.slice(0, 300)}`
    if (expected === undefined) t.match(status, /^2/, title)
    else t.equal(status, expected, title)
  }
})

t.test('a sample without content for it fails', async (t) => {
  const command = sampleOf('getBlog').replace('pour-over-same-every-morning', 'no-such-blog')
  t.equal((await paste(command)).status, 404)
})
