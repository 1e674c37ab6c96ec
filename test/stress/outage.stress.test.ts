import { setTimeout as wait } from 'node:timers/promises'
import t from 'tap'
import { openCutOff } from '../fixtures/cut-off.ts'
import { startCountingProcess } from '../fixtures/limits/counting-processes.ts'
import { cannotStart as skip, ownRedis } from '../fixtures/own-redis.ts'
import { outagePhases } from '../fixtures/limits/outage-phases.ts'

const PROCESSES = 4
/** All accounts together. */
const PER_SECOND = 200
const PHASE_MS = 3_000
/**
 * Which part of its requests each account may make: so one limit or another is reached in every
 * phase.
 */
const PARTS = [0.15, 0.3, 0.45, 0.6, 0.75, 0.9]
/** No timed test: far above what is measured (printed below), far below hanging. */
const LONGEST_MS = 2_000

t.test(
  `${PROCESSES} processes at ${PER_SECOND} requests a second keep their limits during Redis outages`,
  { skip, timeout: 120_000 },
  async (t) => {
    // It keeps nothing on disk, which is the worst that a restart can do.
    const redis = await ownRedis(t)
    const way = await openCutOff(t, redis.port)
    const processes = await Promise.all(
      Array.from({ length: PROCESSES }, () =>
        startCountingProcess({ url: `redis://127.0.0.1:${way.port}`, prefix: 'outage', clock: 'own' })
      )
    )
    t.teardown(() => {
      for (const one of processes) one.end()
    })

    const phases = outagePhases(redis, way)
    const perAccount = Math.floor((phases.length * PHASE_MS * PER_SECOND) / 1000 / PARTS.length)
    const limits = PARTS.map((part) => Math.floor(perAccount * part))
    const admitted = limits.map(() => 0)

    async function ask(number: number, took: number[]): Promise<void> {
      const account = number % limits.length
      // Evenly, as a load balancer would.
      const { result, tookMs } = await processes[Math.floor(number / limits.length) % PROCESSES]!.ask({
        bucket: `account:${account}`,
        account: `${account}`,
        limit: limits[account]!
      })
      if (result.allowed) admitted[account]! += 1
      took.push(tookMs)
    }

    let sent = 0
    const began = performance.now()
    const asked: Array<Promise<void>> = []
    const tookIn = phases.map((): number[] => [])
    for (const [index, [, begin]] of phases.entries()) {
      const begun = begin()
      const untilMs = (index + 1) * PHASE_MS
      for (let atMs = 0; (atMs = performance.now() - began) < untilMs; await wait(2)) {
        for (const due = Math.floor((atMs * PER_SECOND) / 1000); sent < due; sent++) {
          asked.push(ask(sent, tookIn[index]!))
        }
      }
      await begun
    }
    await Promise.all(asked)

    for (const [index, [phase]] of phases.entries()) {
      const took = tookIn[index]!.sort((a, b) => a - b)
      t.comment(
        `${phase}: ${took.length} decisions, p50 ${took[took.length >> 1]!.toFixed(1)} ms, p99 ` +
          `${took[Math.floor(took.length * 0.99)]!.toFixed(1)} ms, longest ${took.at(-1)!.toFixed(1)} ms`
      )
      t.ok(took.at(-1)! < LONGEST_MS, `${phase}: none hangs`)
    }
    for (const [account, limit] of limits.entries()) {
      t.ok(admitted[account]! <= limit + PROCESSES, `${admitted[account]} were admitted where ${limit} may be`)
      t.ok(admitted[account]! >= limit * 0.7, 'and the outage was no wall')
    }
  }
)
