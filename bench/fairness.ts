/**
 * Measures how long a single action of one account takes alone, and while another account floods the
 * same kind of job: `node bench/fairness.ts [lane] [actions] [size]`. Defaults: all lanes, 10 actions,
 * size 2 (of the flood).
 *
 * Each lane has an app of its own: embedded, or scaled if TEST_MONGODB_URL and TEST_REDIS_URL are set
 * (addresses of empty servers). An action that takes longer than 15 s is given up and counts as 15 s;
 * so do the actions after it.
 */
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { FastifyInstance } from 'fastify'
import { buildApp } from '../app.ts'
import { type Lane, lanes, startPeers } from '../test/fixtures/fairness.ts'

const LIMIT_MS = 15_000
const [only, ACTIONS, SIZE] = [process.argv[2], Number(process.argv[3] ?? 10), Number(process.argv[4] ?? 2)]
const { TEST_MONGODB_URL, TEST_REDIS_URL } = process.env
const scaled = TEST_MONGODB_URL !== undefined && TEST_REDIS_URL !== undefined

async function settings(dataDir: string): Promise<Record<string, string>> {
  const shared = {
    DATA_DIR: dataDir,
    DEMO_CONTENT: 'off',
    LOG_LEVEL: 'silent',
    OUTBOUND_ALLOW: '127.0.0.1/32',
    SESSION_SECRET: 'a secret for benchmarks, long enough'
  }
  if (!scaled) return shared
  const MONGODB_URL = `${TEST_MONGODB_URL}bench_${randomUUID().replaceAll('-', '')}`
  const { openDatabase } = await import('../ports/store/mongodb/database.ts')
  const { migrate } = await import('../ports/store/mongodb/migrate.ts')
  const { prepareFiles } = await import('../ports/files/open.ts')
  const database = await openDatabase(MONGODB_URL)
  await migrate(database)
  await prepareFiles({ mongodbUrl: MONGODB_URL })
  await database.close()
  return {
    ...shared,
    MONGODB_URL,
    REDIS_URL: TEST_REDIS_URL,
    REDIS_PREFIX: `bench-${randomUUID()}`,
    SECRETS_KEY: Buffer.alloc(32, 'a key for benchmarks').toString('base64')
  }
}

async function measure(app: FastifyInstance, lane: Lane): Promise<number[]> {
  const times: number[] = []
  while (times.length < ACTIONS) {
    const signal = AbortSignal.timeout(LIMIT_MS)
    const start = performance.now()
    const isDone = await lane.act(app, signal).then(
      () => true,
      (error: unknown) => {
        if (signal.aborted) return false
        throw error
      }
    )
    if (!isDone) return times.concat(Array<number>(ACTIONS - times.length).fill(LIMIT_MS))
    times.push(performance.now() - start)
  }
  return times
}

function percentile(times: number[], share: number): string {
  const ms = times.toSorted((a, b) => a - b)[Math.ceil(times.length * share) - 1]!
  return ms >= LIMIT_MS ? `> ${LIMIT_MS}` : ms.toFixed(0)
}

const names = lanes(await startPeers()).map(({ name }) => name)
console.log(
  '| lane | profile | alone p50 | alone p99 | flooded p50 | flooded p99 |\n| --- | --- | ---: | ---: | ---: | ---: |'
)
for (const name of names) {
  if (only !== undefined && only !== 'all' && name !== only) continue
  const peers = await startPeers()
  const lane = lanes(peers).find((one) => one.name === name)!
  const folder = mkdtempSync(path.join(tmpdir(), 'bench-fairness-'))
  const app = await buildApp(await settings(folder))
  await app.ready()
  await lane.act(app, AbortSignal.timeout(LIMIT_MS)) // The first action also loads modules.
  const unloaded = await measure(app, lane)
  await lane.flood(app, SIZE)
  const flooded = await measure(app, lane)
  const numbers = [unloaded, flooded].flatMap((times) => [percentile(times, 0.5), percentile(times, 0.99)])
  console.log(`| ${name} | ${scaled ? 'scaled' : 'embedded'} | ${numbers.join(' | ')} |`)
  peers.close()
  await app.close()
  rmSync(folder, { recursive: true, force: true })
}
process.exit(0)
