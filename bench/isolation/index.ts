import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Bench, BenchRow } from '../harness/bench.ts'
import { isScaled } from '../harness/settings.ts'
import { formatNumber } from '../harness/statistics.ts'
import type { Command, Outcomes } from './attacker.ts'
import { prepareActions } from './actions.ts'
import { createClient } from './client.ts'
import { sendAtFixedTimes, type Act, type Sample } from './fixed-times.ts'
import { KINDS, selectKinds } from './kinds/index.ts'
import { prepareNeighbor } from './neighbor.ts'
import { startService, type ProcessLoad, type Service } from './service.ts'
import { formatEach, formatFailures, formatTimes, timesOf } from './summary.ts'

/** Connections of the first account. */
const CONNECTIONS = Number(process.env.CONNECTIONS ?? 20)
/** Whether the second account does single actions, such as the delivery of a webhook, instead of requests. */
const HAS_ACTIONS = process.env.ACTIONS === 'on'
/** Requests or actions of the second account in a second, of all kinds together. */
const RATE = Number(process.env.RATE ?? (HAS_ACTIONS ? 8 : isScaled() ? 20 : 100))
const SEED = Number(process.env.SEED ?? 1)
/** How long the second account is measured before the attack. */
const QUIET_SECONDS = HAS_ACTIONS ? 10 : 3
/** How long its requests are sent before that: the first ones load modules, and compile code. */
const WARM_UP_SECONDS = 4
/** Between the preparation and the first request that is measured. */
const PAUSE_MS = 1_000
const MEGABYTE = 1_000_000

interface Measured {
  quiet: Sample[]
  beside: Sample[]
  outcomes: Outcomes
  loads: ProcessLoad[]
}

async function measureKind(kind: string, { seconds, scale }: { seconds: number; scale: number }): Promise<Measured> {
  const service = await startService()
  const client = createClient(service.neighbor, null)
  const attacker = fork(path.join(import.meta.dirname, 'attacker.ts'))
  let onEnd = (): void => {}
  try {
    const { acts, close } = HAS_ACTIONS ? await prepareActions(client) : await prepareNeighbor(client)
    onEnd = close
    const credentials = service.attacker
    await command(attacker, { name: 'prepare', kind, credentials, connections: CONNECTIONS, seed: SEED, scale })
    return await measureAttack({ service, attacker, acts, seconds })
  } finally {
    attacker.kill()
    onEnd()
    await client.close()
    await service.stop()
  }
}

interface Attack {
  service: Service
  attacker: ChildProcess
  acts: Act[]
  seconds: number
}

async function measureAttack({ service, attacker, acts, seconds }: Attack): Promise<Measured> {
  await wait(PAUSE_MS)
  await sendAtFixedTimes(acts, { perSecond: RATE, seconds: WARM_UP_SECONDS })
  const quiet = await sendAtFixedTimes(acts, { perSecond: RATE, seconds: QUIET_SECONDS })
  const endWatch = await service.watch()
  await command(attacker, { name: 'begin' })
  const beside = await sendAtFixedTimes(acts, { perSecond: RATE, seconds })
  const outcomes = (await command(attacker, { name: 'end' })) as Outcomes
  return { quiet, beside, outcomes, loads: await endWatch() }
}

/** Resolves with the response of the attacker's process. Throws if it ends instead. */
async function command(attacker: ChildProcess, message: Command): Promise<unknown> {
  const ended = new AbortController()
  const { signal } = ended
  attacker.send(message)
  try {
    return await Promise.race([
      once(attacker, 'message', { signal }).then(([response]) => response as unknown),
      once(attacker, 'exit', { signal }).then(([code]) => {
        throw new Error(`The process of the first account ended with exit code ${code}`)
      })
    ])
  } finally {
    ended.abort()
  }
}

function rowOf(kind: string, rounds: Measured[]): BenchRow {
  const p99 = (samples: Sample[]): number => timesOf(samples).p99
  const values = rounds.map(({ beside }) => p99(beside))
  const { quiet, beside, outcomes, loads } = rounds[values.indexOf(Math.max(...values))]!
  const failures = formatFailures([...quiet, ...beside])
  const ended = loads.filter((load) => load.ended !== null).map(({ name, ended }) => `${name}: ${ended}`)
  const ofProcesses = (format: (load: ProcessLoad) => string): string => loads.map(format).join('; ')
  return {
    name: `${kind}, p99${failures === null ? '' : ', WITH ERRORS'}${ended.length === 0 ? '' : ', PROCESS ENDED'}`,
    unit: 'ms',
    values,
    baseline: { name: 'before', values: rounds.map((round) => p99(round.quiet)) },
    extra: {
      requests: KINDS[kind]!.title,
      'before: median, p99, maximum': formatTimes(quiet),
      'beside: median, p99, maximum': formatTimes(beside),
      'each kind before': formatEach(quiet),
      'each kind beside: median, p99': formatEach(beside),
      'errors of the second account': failures ?? '0',
      'longest turn': ofProcesses(({ turnMs }) => `${Math.round(turnMs)} ms`),
      RSS: ofProcesses(({ residentBytes }) => `${Math.round(residentBytes / MEGABYTE)} MB`),
      'responses to the first account': Object.entries(outcomes)
        .map(([outcome, count]) => `${outcome}: ${formatNumber(count)}`)
        .join(', '),
      'processes that ended': ended.join(', ') || '0'
    }
  }
}

/**
 * MONGODB_URL (ending in a slash) and REDIS_URL select the scaled profile, KINDS the kinds of requests by their names.
 */
export const bench: Bench = {
  summary:
    'Requests of one account, 100 a second at fixed times (20 in the scaled profile), beside another account that ' +
    'sends hostile requests of one kind over 20 connections, to a new service for each kind. Compared with the same ' +
    'requests before. A time begins when the request was due.',
  defaults: { rounds: 1, seconds: 10 },
  async run({ rounds, seconds, scale }, saveSoFar) {
    const rows: BenchRow[] = []
    for (const kind of selectKinds(process.env.KINDS)) {
      const measured: Measured[] = []
      for (let round = 0; round < rounds; round++) measured.push(await measureKind(kind, { seconds, scale }))
      rows.push(rowOf(kind, measured))
      await saveSoFar(rows)
    }
    return rows
  }
}
