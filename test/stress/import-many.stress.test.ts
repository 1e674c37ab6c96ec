// IMPORT_ROWS: the number of rows of the imported file (default: 1,300; 100,000 with FULL=1).
import { readFileSync } from 'node:fs'
import t from 'tap'
import { temporaryFolder } from '../helper.ts'
import { small } from '../profile.ts'
import { startServer, createSvc } from '../processes.ts'
import { eventually } from '../fixtures/webhooks/receiver.ts'
import { productFile } from '../fixtures/products/files.ts'

const ROWS = Number(process.env.IMPORT_ROWS ?? (small ? 1_300 : 100_000))
const MAX_GROWTH_MB = 150

/** Resident memory of a process in MB. */
const residentMb = (pid: number) =>
  Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024

for (const format of ['ndjson', 'csv'] as const) {
  t.test(
    `an import of ${ROWS} rows of ${format} reports all broken rows and loses no valid one`,
    { timeout: 600_000, skip: process.platform === 'linux' ? false : 'reads memory from /proc' },
    async (t) => {
      const data = temporaryFolder(t)
      const key = (await createSvc(data)('keys', 'create', '--name', 'Stress', '--account', 'acme')).out.trim()
      const server = await startServer(t, data, { DEFAULT_PLAN: 'samurai' })
      const headers = { 'x-api-key': key }
      const { text, good, broken } = productFile(format, ROWS)
      const before = residentMb(server.child.pid!)
      let peak = before
      const sampler = setInterval(() => {
        if (server.child.exitCode === null) peak = Math.max(peak, residentMb(server.child.pid!))
      }, 50)
      t.teardown(() => {
        clearInterval(sampler)
      })

      const upload = await fetch(`${server.url}/api/v1/products/imports?projectId=shop`, {
        method: 'POST',
        headers: { ...headers, 'content-type': format === 'csv' ? 'text/csv' : 'application/x-ndjson' },
        body: text
      })
      t.equal(upload.status, 202)
      const where = `${server.url}${upload.headers.get('location')}`
      let record = (await upload.json()) as Record<string, unknown>
      t.equal(record.total, ROWS)
      await eventually(
        async () => {
          record = (await (await fetch(where, { headers })).json()) as Record<string, unknown>
          await new Promise((resolve) => {
            setTimeout(resolve, 500)
          })
          return !['queued', 'running'].includes(String(record.status))
        },
        'the end of the import',
        500_000
      )
      clearInterval(sampler)

      t.match(record, { status: 'done', processed: ROWS, created: good, updated: 0, failed: broken.length })
      const report = (await (await fetch(`${where}/errors?as=report`, { headers })).text())
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as { line: number; errors: { code: string }[] })
      const named = new Map(report.map(({ line, errors }) => [line, errors.map(({ code }) => code)]))
      t.same(
        broken.filter(({ line, code }) => named.get(line)?.includes(code) !== true).slice(0, 20),
        [],
        'each is named by its line and its reason'
      )
      t.equal(named.size, broken.length)
      const listed = (await (
        await fetch(`${server.url}/api/v1/products?projectId=shop&pageSize=1`, { headers })
      ).json()) as { totalCount: number }
      t.equal(listed.totalCount, good)
      t.comment(`resident memory grew by ${(peak - before).toFixed(0)} MB from ${before.toFixed(0)} MB`)
      t.ok(peak - before <= MAX_GROWTH_MB, `resident memory grew by ${(peak - before).toFixed(0)} MB`)
    }
  )
}
