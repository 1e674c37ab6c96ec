import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import t, { type Test } from 'tap'
import { createClient } from '../../fixtures/transfer/content.ts'
import { eventually } from '../../fixtures/webhooks/receiver.ts'
import { SESSION_SECRET, temporaryFolder } from '../../helper.ts'
import { createSvc, startServer } from '../../processes.ts'
import { settingsFor } from '../../profile.ts'

const SVC = path.resolve(import.meta.dirname, '../../../bin/svc.ts')
const SECRETS_KEY = randomBytes(32).toString('base64')
/** A data folder, in all profiles. */
const EMBEDDED = { MONGODB_URL: '', REDIS_URL: '', SECRETS_KEY }
const OPEN = { OUTBOUND_ALLOW: '127.0.0.1', LOG_LEVEL: 'error' }

const exportTo = async (t: Test, svc: ReturnType<typeof createSvc>) => {
  const file = path.join(temporaryFolder(t), 'everything.ndjson')
  const { code, err } = await svc('export', file)
  t.equal(code, 0, err)
  return file
}

t.test(
  'a killed import resumes, no server starts meanwhile, and a moved product import continues',
  { timeout: 400_000 },
  async (t) => {
    const ROWS = 12_000
    const folder = temporaryFolder(t)
    const svc = createSvc(folder, EMBEDDED)
    const key = (await svc('keys', 'create', '--name', 'Mine', '--account', 'acme')).out.trim()
    await svc('account', 'set-limits', 'acme', '--requests-per-hour', '100000')
    const server = await startServer(t, folder, { ...EMBEDDED, ...OPEN })
    const here = createClient(server.url, key)
    const rows = Array.from({ length: ROWS }, (_, i) =>
      JSON.stringify({ externalId: `row-${i}`, title: `Row ${i}`, price: 1 })
    ).join('\n')
    await here.withSession('POST', '/api/projects', { id: 'shop', optimize: 'manual' })
    const where = (
      await here.withKey('POST', '/api/v1/products/imports?projectId=shop', rows, {
        'content-type': 'application/x-ndjson'
      })
    ).headers.get('location')!
    const importAt = async ({ withKey }: typeof here) =>
      JSON.parse((await withKey('GET', where)).bytes.toString()) as {
        status: string
        processed: number
        total: number
        created: number
      }
    await eventually(async () => (await importAt(here)).processed >= 5000, 'half of the products are imported')
    await server.end('SIGKILL')

    const file = await exportTo(t, svc)
    const there = temporaryFolder(t)
    const settings = { ...(await settingsFor(there)), SECRETS_KEY }
    const killed = spawn(process.execPath, [SVC, 'import', file], {
      env: { PATH: process.env.PATH, SESSION_SECRET, ...settings },
      stdio: ['ignore', 'ignore', 'pipe']
    })
    const ended = once(killed, 'exit')
    killed.stderr.setEncoding('utf8').on('data', (text: string) => {
      if (/^█{9}/.test(text)) killed.kill('SIGKILL')
    })
    t.same(await ended, [null, 'SIGKILL'], 'killed after a third')
    await t.rejects(
      startServer(t, there, { SECRETS_KEY, ...OPEN }),
      /An import into this store, started at .*, is not complete/
    )
    const another = await createSvc(there, { SECRETS_KEY })(
      'import',
      await exportTo(t, createSvc(temporaryFolder(t), EMBEDDED))
    )
    t.match(another.err, /Another import into this store/)
    const again = await createSvc(there, { SECRETS_KEY })('import', file)
    t.equal(again.code, 0, again.err)
    t.match(again.out, /Already present: .*products/)
    const count = (text: string) => Number(/([\d,]+) products/.exec(text)![1]!.replaceAll(',', ''))
    const [now, before] = again.out.split('Already present')
    t.equal(
      count(now!) + count(before!),
      (await readFile(file, 'utf8')).split('\n').filter((line) => line.startsWith('{"kind":"product"')).length,
      'nothing is imported twice'
    )

    const moved = await startServer(t, there, { SECRETS_KEY, ...OPEN })
    const speaks = createClient(moved.url, key)
    await eventually(async () => (await importAt(speaks)).status === 'done', 'the product import is done', 200_000)
    t.match(await importAt(speaks), { processed: ROWS, total: ROWS, created: ROWS })
    t.equal(JSON.parse((await speaks.withKey('GET', '/api/v1/products?pageSize=1')).bytes.toString()).totalCount, ROWS)
  }
)
