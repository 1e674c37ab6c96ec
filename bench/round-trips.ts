/**
 * Counts the commands to MongoDB that products take from the import to a webhook:
 * `node bench/round-trips.ts [products] [rounds]`. Defaults: 1,000 products, 2 rounds.
 *
 * Each stage runs once after the other, without its queue. Uses the server at MONGODB_URL (which ends
 * in a slash), or starts the one that the tests use. Prints the commands of each stage, the most
 * frequent ones, the CPU time of this process and the elapsed time.
 */
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { prepareFiles } from '../ports/files/open.ts'
import { migrateStore } from '../ports/store/open.ts'
import { countCommands } from '../test/fixtures/mongodb/command-counts.ts'
import { manyRows } from '../test/fixtures/products/catalog.ts'
import { findServers } from '../test/servers/index.ts'
import { temporaryFolder } from './harness/temporary-folder.ts'

const COUNT = Number(process.argv[2] ?? 1_000)
const ROUNDS = Number(process.argv[3] ?? 2)
const PLACE = { accountId: 'bench', projectId: 'shop' }
const READER = { accountId: PLACE.accountId, projectIds: null }

const counts = countCommands()
const servers = await findServers()
const { env, release } = await servers.prepare()
const url = `${env.TEST_MONGODB_URL}bench_${randomUUID().replaceAll('-', '')}?monitorCommands=true`
const folder = temporaryFolder('bench-round-trips')
let received = 0
const receiver = createServer((request, response) => {
  request.resume().on('end', () => {
    received += 1
    response.end()
  })
}).listen(0, '127.0.0.1')
await once(receiver, 'listening')

await migrateStore({ mongodbUrl: url })
await prepareFiles({ mongodbUrl: url })
const { buildApp } = await import('../app.ts')
const app = await buildApp({
  DATA_DIR: folder,
  MONGODB_URL: url,
  REDIS_URL: env.TEST_REDIS_URL!,
  REDIS_PREFIX: `bench-${randomUUID()}`,
  SECRETS_KEY: Buffer.alloc(32).toString('base64'),
  SESSION_SECRET: 'a secret for benchmarks, long enough',
  PUBLIC_URL: 'http://127.0.0.1',
  OUTBOUND_ALLOW: '127.0.0.1',
  LOG_LEVEL: 'silent',
  STORE_TIMEOUT_MS: '60000',
  ROLE: 'api'
})
const { services, store } = app
const signal = new AbortController().signal

/** Runs a stage and prints its commands. */
async function stage(name: string, run: () => Promise<unknown>): Promise<number> {
  counts.clear()
  const [startedMs, used] = [performance.now(), process.cpuUsage()]
  await run()
  const { user, system } = process.cpuUsage(used)
  const most = counts
    .byName()
    .slice(0, 12)
    .map(([command, count]) => `${command} ${count}`)
  console.log(
    `  ${name.padEnd(8)} ${String(counts.store()).padStart(5)} commands, ${counts.files()} of files, ` +
      `${((performance.now() - startedMs) / 1000).toFixed(1)} s, CPU ${((user + system) / 1e6).toFixed(2)} s  ` +
      `(${most.join(', ')})`
  )
  return counts.store()
}

const jobsDone = async (run: () => Promise<unknown>): Promise<void> => {
  while ((await run()) === 'continue');
}

try {
  await services.accounts.ensure(PLACE.accountId)
  await services.accounts.update(PLACE.accountId, { plan: 'samurai' })
  const { port } = receiver.address() as AddressInfo
  const webhook = await services.webhooks.create(PLACE.accountId, { url: `http://127.0.0.1:${port}/` })
  for (let round = 1; round <= ROUNDS; round++) {
    console.log(`round ${round}, ${COUNT} products`)
    const rows = [...manyRows(COUNT)].map((row) => ({
      ...row,
      externalId: `${round}-${row.externalId}`,
      imageUrl: undefined,
      images: undefined
    }))
    const body = Readable.from(rows.map((row) => Buffer.from(`${JSON.stringify(row)}\n`)))
    const already = received
    let total = 0
    let importId = ''
    total += await stage('upload', async () => {
      const { projectId } = PLACE
      importId = (await services.imports.receive(READER, { projectId, format: 'ndjson', mapping: null, body })).id
    })
    total += await stage('import', () => services.imports.run(PLACE.accountId, importId, { signal }))
    total += await stage('optimize', () => jobsDone(() => services.optimizer.optimizeSlice(PLACE, signal, () => false)))
    total += await stage('publish', () => services.productEvents.publish(PLACE, signal))
    total += await stage('fan out', () => jobsDone(() => services.webhooks.fanOut(PLACE.accountId, signal)))
    total += await stage('deliver', () => services.webhooks.deliver(PLACE.accountId, webhook.id, signal))
    const left = await store.products.pending(PLACE, 'optimize', 1)
    if (left.length > 0 || received === already) throw new Error('Not all products were published')
    const per1000 = ((total * 1000) / COUNT).toFixed(1)
    console.log(`  total ${total} commands: ${per1000} for 1,000 products; ${received - already} requests`)
  }
} finally {
  await app.close()
  receiver.close()
  await release()
  await servers.stop()
  rmSync(folder, { recursive: true, force: true })
}
