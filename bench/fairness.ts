/**
 * Measures how long a single action of one account takes alone, and while another account floods the
 * same kind of job: `node bench/fairness.ts [lane] [actions] [size]`. Defaults: all lanes, 20 actions,
 * size 2 (of the flood). In milliseconds.
 *
 * Each lane has an app of its own: embedded, or scaled if TEST_MONGODB_URL and TEST_REDIS_URL are set
 * (addresses of empty servers). An action that takes longer than 15 s is given up and counts as 15 s;
 * so do the actions after it. Each of the two measurements of a lane ends after 10 s. If the flood
 * ends before the measurement, the row says so.
 *
 * In the scaled profile, the last column is the share of the additional time in which the action
 * waited for its own commands to MongoDB.
 */
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { buildApp } from '../app.ts'
import { type Lane, lanes, SINGLE, startPeers } from '../test/fixtures/fairness/index.ts'
import { recordStoreTime } from './store-time.ts'

const LIMIT_MS = 15_000
const MEASUREMENT_MS = 10_000
/** The mean pause between two actions: a single action follows a quiet time of its account. */
const PAUSE_MS = 250
const [only = 'all', ACTIONS, SIZE] = [process.argv[2], Number(process.argv[3] ?? 20), Number(process.argv[4] ?? 2)]
const { TEST_MONGODB_URL, TEST_REDIS_URL } = process.env
const scaled = TEST_MONGODB_URL !== undefined && TEST_REDIS_URL !== undefined
const storeTime = recordStoreTime(SINGLE)

async function settings(dataDir: string): Promise<Record<string, string>> {
  const shared = {
    DATA_DIR: dataDir,
    DEMO_CONTENT: 'off',
    LOG_LEVEL: 'silent',
    OUTBOUND_ALLOW: '127.0.0.1/32',
    BROWSER_SANDBOX: 'off',
    SESSION_SECRET: 'a secret for benchmarks, long enough'
  }
  if (!scaled) return shared
  const MONGODB_URL = `${TEST_MONGODB_URL}bench_${randomUUID().replaceAll('-', '')}?monitorCommands=true`
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

interface Sample {
  ms: number
  storeMs: number
}

async function measure(app: FastifyInstance, lane: Lane): Promise<Sample[]> {
  const samples: Sample[] = []
  const endMs = performance.now() + MEASUREMENT_MS
  while (samples.length < ACTIONS && (samples.length === 0 || performance.now() < endMs)) {
    const signal = AbortSignal.timeout(LIMIT_MS)
    await wait(2 * PAUSE_MS * Math.random())
    storeTime.clear()
    const start = performance.now()
    const isDone = await lane.act(app, signal).then(
      () => true,
      (error: unknown) => {
        if (signal.aborted) return false
        throw error
      }
    )
    const end = performance.now()
    samples.push({ ms: isDone ? end - start : LIMIT_MS, storeMs: storeTime.between(start, end) })
    if (!isDone) break
  }
  return samples
}

function percentile(samples: Sample[], share: number): number {
  return samples.map(({ ms }) => ms).toSorted((a, b) => a - b)[Math.ceil(samples.length * share) - 1]!
}

const mean = (numbers: number[]): number => numbers.reduce((sum, number) => sum + number, 0) / numbers.length

/** The share of the additional time in which own commands were in progress. */
function storeShare(unloaded: Sample[], flooded: Sample[]): string {
  const added = (read: (sample: Sample) => number): number => mean(flooded.map(read)) - mean(unloaded.map(read))
  const share = added(({ storeMs }) => storeMs) / added(({ ms }) => ms)
  return scaled && added(({ ms }) => ms) > 1 ? `${Math.round(100 * share)} %` : ''
}

const toText = (ms: number): string => (ms >= LIMIT_MS ? `> ${LIMIT_MS}` : ms.toFixed(0))

async function measureLane(name: string): Promise<void> {
  const peers = await startPeers()
  const lane = lanes(peers).find((one) => one.name === name)!
  const folder = mkdtempSync(path.join(tmpdir(), 'bench-fairness-'))
  const app = await buildApp(await settings(folder))
  await app.ready()
  await lane.act(app, AbortSignal.timeout(LIMIT_MS)) // The first action also loads modules.
  const unloaded = await measure(app, lane)
  await lane.flood(app, SIZE)
  const flooded = await measure(app, lane)
  const { due, running } = await app.queue.depth(lane.name)
  const times = [unloaded, flooded].map((samples) => [percentile(samples, 0.5), percentile(samples, 0.99)])
  const [[p50, p99], [floodedP50, floodedP99]] = times as [[number, number], [number, number]]
  const cells = [
    ...[name, scaled ? 'scaled' : 'embedded', ...times.flat().map(toText)],
    ...[floodedP50 / p50, floodedP99 / p99].map((ratio) => ratio.toFixed(1)),
    storeShare(unloaded, flooded)
  ]
  console.log(`| ${cells.join(' | ')} |${due + running === 0 ? ' the flood has ended' : ''}`)
  peers.close()
  await app.close()
  rmSync(folder, { recursive: true, force: true })
}

console.log(
  '| job | profile | alone p50 | alone p99 | flooded p50 | flooded p99 | p50 ratio | p99 ratio | store |\n' +
    '| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |'
)
const somePeers = await startPeers()
for (const { name } of lanes(somePeers)) if (only === 'all' || name === only) await measureLane(name)
process.exit(0)
