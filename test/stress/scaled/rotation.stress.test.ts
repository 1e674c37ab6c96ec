import { Agent, request } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import t from 'tap'
import { openCutOff } from '../../fixtures/cut-off.ts'
import { startFleet } from '../../fixtures/fleet.ts'
import { sessionToken, temporaryFolder } from '../../helper.ts'
import type { RunningServer } from '../../processes.ts'
import { settingsFor } from '../../profile.ts'

const ROTATIONS = 40
const APIS = 4
const LOAD_CLIENTS = 8
/** Pause of a load client between two requests, so that two cores can run all processes. */
const PAUSE_MS = 10
/** After so many rotations one of the processes is killed, and another one started. */
const KILL_EVERY = 13
/** After so many Redis is cut off for a while, beginning in the middle of the next one. */
const CUT_EVERY = 7
const CUT_MS = 800

t.test(
  `${ROTATIONS} rotations are effective in all of ${APIS} processes, despite kills and Redis outages`,
  { timeout: 600_000 },
  async (t) => {
    const data = temporaryFolder(t)
    const own = new URL((await settingsFor(data)).REDIS_URL!)
    const redis = await openCutOff(t, Number(own.port))
    own.port = String(redis.port)
    const fleet = await startFleet(t, data, {
      apis: APIS,
      workers: 0,
      env: { REDIS_URL: own.href, ADDRESS_REQUESTS_PER_HOUR: '10000000', TRUST_PROXY: 'on', DEFAULT_PLAN: 'samurai' }
    })
    const { apis } = fleet
    const agent = new Agent({ keepAlive: true, maxSockets: 200 })
    t.teardown(() => {
      agent.destroy()
    })
    let sent = 0
    /** The status; 0 when the process was killed before it answered. */
    const ask = async (
      api: RunningServer,
      {
        method = 'GET',
        path,
        headers,
        body
      }: { method?: string; path: string; headers: Record<string, string>; body?: object }
    ) =>
      await new Promise<{ status: number; text: string }>((resolve) => {
        sent += 1
        const from = `10.${(sent >> 16) & 255}.${(sent >> 8) & 255}.${sent & 255}`
        const call = request(
          api.url + path,
          {
            method,
            agent,
            headers: {
              'x-forwarded-for': from,
              ...(body === undefined ? {} : { 'content-type': 'application/json' }),
              ...headers
            }
          },
          (response) => {
            let text = ''
            response.setEncoding('utf8').on('data', (chunk: string) => {
              text += chunk
            })
            response.on('end', () => {
              resolve({ status: response.statusCode!, text })
            })
            response.on('error', () => {
              resolve({ status: 0, text })
            })
          }
        )
        call.on('error', () => {
          resolve({ status: 0, text: '' })
        })
        call.end(body === undefined ? undefined : JSON.stringify(body))
      })
    const read = async (api: RunningServer, value: string) =>
      (await ask(api, { path: '/api/v1/blogs', headers: { 'x-api-key': value } })).status
    const authorization = `Bearer ${await sessionToken('acme')}`
    const admin = { authorization: `Bearer ${await sessionToken('acme', { role: 'admin' })}` }
    const made = JSON.parse(
      (
        await ask(apis[0]!, {
          method: 'POST',
          path: '/api/keys',
          headers: { authorization },
          body: { name: 'Hammered' }
        })
      ).text
    ) as { id: string; key: string }
    const raised = await ask(apis[0]!, {
      method: 'PATCH',
      path: '/api/admin/accounts/acme',
      headers: admin,
      body: { requestsPerHour: 10_000_000 }
    })
    t.equal(raised.status, 200, raised.text)

    const values = [made.key]
    const dead = new Set<string>()
    const seen = { acceptedThoughDead: 0, refusedThoughNew: 0, accepted: 0, refused: 0, cutOff: 0, rotationsPutOff: 0 }
    const done = new AbortController()
    let rotating = false
    async function runLoadClient(index: number): Promise<void> {
      while (!done.signal.aborted) {
        const value = values[Math.max(0, values.length - 1 - (index % 2))]!
        const wasDead = dead.has(value)
        const wasNew = value === values.at(-1) && !rotating
        const status = await read(apis[index % apis.length]!, value)
        await wait(PAUSE_MS)
        if (status === 0) seen.cutOff += 1
        else if (status === 200) seen.accepted += 1
        else seen.refused += 1
        if (wasDead && status === 200) seen.acceptedThoughDead += 1
        if (wasNew && value === values.at(-1) && !rotating && status !== 200 && status !== 0) seen.refusedThoughNew += 1
      }
    }
    async function cutOff(rotation: number): Promise<void> {
      await wait(rotation % 5) // Before the rotation, in the middle of it, or after it.
      await redis.cut()
      await wait(CUT_MS)
      await redis.restore()
    }

    const loadClients = Array.from({ length: LOAD_CLIENTS }, async (_, index) => {
      await runLoadClient(index)
    })
    for (let rotation = 1; rotation <= ROTATIONS; rotation++) {
      const api = apis[rotation % apis.length]!
      rotating = true
      const old = values.at(-1)!
      const rotate = () => ask(api, { method: 'POST', path: `/api/keys/${made.id}/rotate`, headers: { authorization } })
      const restored = rotation % CUT_EVERY === 0 ? cutOff(rotation) : Promise.resolve()
      let rotated = await rotate()
      for (; rotated.status === 503; rotated = await rotate()) {
        // The new epoch could not be published, so nothing has changed.
        seen.rotationsPutOff += 1
        const statuses = await Promise.all(apis.map((each) => read(each, old)))
        seen.refusedThoughNew += statuses.filter((status) => status !== 200).length
        await wait(50)
      }
      await restored
      if (rotated.status !== 200) throw new Error(`The rotation was answered ${rotated.status}: ${rotated.text}`)
      dead.add(old)
      values.push((JSON.parse(rotated.text) as { key: string }).key)
      rotating = false
      // At once, in every process: the old value and the new one.
      const statuses = await Promise.all(
        apis.map(async (each) => await Promise.all([read(each, old), read(each, values.at(-1)!)]))
      )
      for (const [oldStatus, newStatus] of statuses) {
        if (oldStatus === 200) seen.acceptedThoughDead += 1
        if (newStatus !== 200) seen.refusedThoughNew += 1
      }
      if (rotation % KILL_EVERY === 0 && rotation < ROTATIONS) {
        const index = (rotation / KILL_EVERY) % apis.length
        await apis[index]!.end('SIGKILL')
        apis[index] = await fleet.startApi()
      }
    }
    done.abort()
    await Promise.all(loadClients)
    t.comment(`${ROTATIONS} rotations, ${sent} requests: ${JSON.stringify(seen)}`)
    t.equal(seen.acceptedThoughDead, 0)
    t.equal(seen.refusedThoughNew, 0)
    t.ok(seen.rotationsPutOff > 0, 'Redis was away in the middle of rotations')
    t.ok(seen.accepted > ROTATIONS && seen.refused > ROTATIONS, 'both values were tried while keys were rotated')
  }
)
