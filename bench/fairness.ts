import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { buildApp } from '../app.ts'
import { type Lane, lanes, SINGLE, startPeers } from '../test/fixtures/fairness/index.ts'
import type { Bench, BenchRow } from './harness/bench.ts'
import { prepareSettings } from './harness/settings.ts'
import { percentile } from './harness/statistics.ts'
import { recordStoreTime, type StoreTime } from './store-time.ts'

const LIMIT_MS = 15_000
const MEASUREMENT_MS = 10_000
/** The mean pause between two actions: a single action follows a quiet time of its account. */
const PAUSE_MS = 250
/** Actions of a measurement, with `--scale 1`, which also is the size of the flood. */
const ACTIONS = 20
const FLOOD_SIZE = 2

interface Sample {
  ms: number
  storeMs: number
}

async function measure(
  app: FastifyInstance,
  lane: Lane,
  { actions, storeTime }: { actions: number; storeTime: StoreTime }
): Promise<Sample[]> {
  const samples: Sample[] = []
  const endMs = performance.now() + MEASUREMENT_MS
  while (samples.length < actions && (samples.length === 0 || performance.now() < endMs)) {
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

const mean = (numbers: number[]): number => numbers.reduce((sum, number) => sum + number, 0) / numbers.length

/** The share of the additional time in which own commands to MongoDB were in progress. */
function storeShare(unloaded: Sample[], flooded: Sample[]): string {
  const added = (read: (sample: Sample) => number): number => mean(flooded.map(read)) - mean(unloaded.map(read))
  const share = added(({ storeMs }) => storeMs) / added(({ ms }) => ms)
  return added(({ storeMs }) => storeMs) > 0 && added(({ ms }) => ms) > 1 ? `${Math.round(100 * share)} %` : '–'
}

async function measureLane(name: string, scale: number, storeTime: StoreTime): Promise<BenchRow[]> {
  const peers = await startPeers()
  const lane = lanes(peers).find((one) => one.name === name)!
  const folder = mkdtempSync(path.join(tmpdir(), 'bench-fairness-'))
  const { env, remove } = await prepareSettings(folder, '?monitorCommands=true')
  const app = await buildApp(env)
  await app.ready()
  await lane.act(app, AbortSignal.timeout(LIMIT_MS)) // The first action also loads modules.
  const options = { actions: Math.ceil(ACTIONS * scale), storeTime }
  const unloaded = await measure(app, lane, options)
  await lane.flood(app, Math.ceil(FLOOD_SIZE * scale))
  const flooded = await measure(app, lane, options)
  const { due, running } = await app.queue.depth(lane.name)
  peers.close()
  await app.close()
  await remove()
  rmSync(folder, { recursive: true, force: true })
  return ([50, 99] as const).map((p) => {
    const at = (samples: Sample[]): number =>
      percentile(
        samples.map(({ ms }) => ms),
        p / 100
      )
    return {
      name: `${name}, p${p}`,
      unit: 'ms',
      values: [at(flooded)],
      baseline: { name: 'without the flood', values: [at(unloaded)] },
      extra: {
        actions: `${unloaded.length} and ${flooded.length}`,
        'given up': String(flooded.filter(({ ms }) => ms >= LIMIT_MS).length),
        'flood at the end': due + running === 0 ? 'ended' : 'running',
        'own commands': storeShare(unloaded, flooded)
      }
    }
  })
}

/** ONLY selects a lane by its name. */
export const bench: Bench = {
  summary:
    'A single action of one account while another account floods the same kind of job, in an app of its own for each ' +
    'kind. Compared with the same action before the flood. An action that takes longer than 15 s is given up, and ' +
    'counts as 15 s. Each measurement ends after 10 s. `own commands` is the share of the additional time in which ' +
    'the action waited for its own commands to MongoDB.',
  defaults: { rounds: 1 },
  async run({ scale }) {
    const storeTime = recordStoreTime(SINGLE)
    const peers = await startPeers()
    const names = lanes(peers).map(({ name }) => name)
    peers.close()
    const rows: BenchRow[] = []
    for (const name of names) {
      if (process.env.ONLY === undefined || process.env.ONLY === name) {
        rows.push(...(await measureLane(name, scale, storeTime)))
      }
    }
    return rows
  }
}
