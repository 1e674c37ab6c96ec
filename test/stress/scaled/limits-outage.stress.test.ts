import { Agent, request } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import t from 'tap'
import { openCutOff } from '../../fixtures/cut-off.ts'
import { startFleet } from '../../fixtures/fleet.ts'
import { cannotStart, ownRedis } from '../../fixtures/own-redis.ts'
import { outagePhases } from '../../fixtures/limits/outage-phases.ts'
import { sessionToken, temporaryFolder } from '../../helper.ts'
import { scaled, settingsFor } from '../../profile.ts'

const skip = scaled ? cannotStart : 'several processes need the scaled profile'
const APIS = 4
/**
 * For all accounts together. Low enough for a slow database, since keys are not cached during an
 * outage.
 * `test/stress/outage.stress.test.ts` tests the limits alone at 200.
 */
const PER_SECOND = 40
const HEADERS = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset']
const PHASE_SECONDS = 3
/**
 * What share of its requests each account may make: so one limit or another is reached in every
 * phase.
 */
const SHARES = [0.15, 0.3, 0.45, 0.6, 0.75, 0.9]

interface Answer {
  account: number
  phase: string
  status: number
  tookMs: number
  named: boolean
}

t.test(
  `${APIS} processes at ${PER_SECOND} requests a second respond and keep limits during Redis outages`,
  { skip, timeout: 240_000 },
  async (t) => {
    // It keeps nothing on disk, which is the worst that a restart can do.
    const redis = await ownRedis(t)
    const way = await openCutOff(t, redis.port)
    const data = temporaryFolder(t)
    await settingsFor(data) // One database for all that start at a time.
    const { apis } = await startFleet(t, data, {
      apis: APIS,
      workers: 0,
      env: { REDIS_URL: `redis://127.0.0.1:${way.port}`, LOG_LEVEL: 'error' }
    })
    const agent = new Agent({ keepAlive: true, maxSockets: 500 })
    t.teardown(() => {
      agent.destroy()
    })

    const phases = outagePhases(redis, way)
    const perAccount = Math.floor((phases.length * PHASE_SECONDS * PER_SECOND) / SHARES.length)
    const limits = SHARES.map((share) => Math.floor(perAccount * share))
    const keys = await Promise.all(
      limits.map(async (requestsPerHour, account) => {
        const headers = {
          authorization: `Bearer ${await sessionToken(`account-${account}`, { role: 'admin' })}`,
          'content-type': 'application/json'
        }
        const made = await fetch(`${apis[0]!.url}/api/keys`, {
          method: 'POST',
          headers,
          body: JSON.stringify({ name: 'Outage' })
        })
        const changed = await fetch(`${apis[0]!.url}/api/admin/accounts/account-${account}`, {
          method: 'PATCH',
          headers,
          body: JSON.stringify({ requestsPerHour })
        })
        if (made.status !== 201 || changed.status !== 200) {
          throw new Error(`${await made.text()} ${await changed.text()}`)
        }
        return ((await made.json()) as { key: string }).key
      })
    )

    const answers: Answer[] = []
    const ask = async (number: number, phase: string): Promise<void> => {
      const account = number % keys.length
      // Evenly, as a load balancer would.
      const api = apis[Math.floor(number / keys.length) % APIS]!
      const began = performance.now()
      await new Promise<void>((resolve) => {
        const note = (status: number, named: boolean) => {
          answers.push({ account, phase, status, named, tookMs: performance.now() - began })
          resolve()
        }
        request(
          `${api.url}/api/v1/blogs?pageSize=1`,
          { agent, headers: { 'x-api-key': keys[account] } },
          (response) => {
            response.resume()
            response.on('end', () => {
              note(
                response.statusCode!,
                HEADERS.every((name) => name in response.headers)
              )
            })
          }
        )
          .on('error', () => {
            note(0, false)
          })
          .end()
      })
    }

    const sent: Array<Promise<void>> = []
    const began = performance.now()
    for (const [index, [phase, begin]] of phases.entries()) {
      const disturbed = Promise.resolve(begin())
      const untilMs = (index + 1) * PHASE_SECONDS * 1000
      while (performance.now() - began < untilMs) {
        const due = Math.floor(((performance.now() - began) * PER_SECOND) / 1000)
        while (sent.length < due) sent.push(ask(sent.length, phase))
        await wait(2)
      }
      await disturbed
    }
    await Promise.all(sent)

    for (const [phase] of phases) {
      const took = answers
        .filter((answer) => answer.phase === phase)
        .map(({ tookMs }) => tookMs)
        .sort((a, b) => a - b)
      t.comment(
        `${phase}: ${took.length} requests, p50 ${took[took.length >> 1]!.toFixed(1)} ms, p99 ` +
          `${took[Math.floor(took.length * 0.99)]!.toFixed(1)} ms, longest ${took.at(-1)!.toFixed(0)} ms`
      )
    }
    const unexpected = answers.filter(({ status }) => status !== 200 && status !== 429)
    t.same(unexpected, [], `${answers.length} requests: only 200 and 429`)
    t.ok(
      answers.every(({ named }) => named),
      'every answer names the limit'
    )
    for (const [account, limit] of limits.entries()) {
      const mine = answers.filter((answer) => answer.account === account)
      const admitted = mine.filter(({ status }) => status === 200).length
      t.ok(admitted <= limit + APIS, `${admitted} of ${mine.length} were admitted where ${limit} may be`)
      t.ok(admitted >= limit * 0.7, 'and the limit was no wall')
    }
  }
)
