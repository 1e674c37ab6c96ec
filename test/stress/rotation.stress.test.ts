import { Agent, request } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import t from 'tap'
import { ApiError } from '../../errors.ts'
import { client, startApp } from '../helper.ts'
import { listen } from '../fixtures/http/listen.ts'
import { small } from '../profile.ts'

const ROTATIONS = small ? 40 : 200
/**
 * All of them and the service share one process; where the limits are in Redis it must still hear
 * the answers in time.
 */
const LOAD_CLIENTS = small ? 4 : 16

t.test('after a rotation response, the old key is rejected and the new one accepted', async (t) => {
  const app = await startApp(t, { ADDRESS_REQUESTS_PER_HOUR: '10000000', TRUST_PROXY: 'on' })
  const { account, keyId, key } = await client(app)
  await app.services.accounts.update(account, { requestsPerHour: 10_000_000 })
  const port = await listen(app)
  const agent = new Agent({ keepAlive: true, maxSockets: LOAD_CLIENTS + 1 })
  t.teardown(() => {
    agent.destroy()
  })
  let sent = 0
  const read = async (value: string) =>
    await new Promise<number>((resolve, reject) => {
      sent += 1
      // Each from an address of its own, so that wrong credentials are refused as such and not as
      // too many.
      const headers = {
        'x-api-key': value,
        'x-forwarded-for': `10.${(sent >> 16) & 255}.${(sent >> 8) & 255}.${sent & 255}`
      }
      request({ port, host: '127.0.0.1', path: '/api/v1/blogs', agent, headers }, (response) => {
        response.resume()
        response.on('end', () => {
          resolve(response.statusCode!)
        })
      })
        .on('error', reject)
        .end()
    })

  /**
   * Values, oldest first: the last one is in force, those before are dead from their successor's
   * answer on.
   */
  const values = [key]
  const dead = new Set<string>()
  const seen = { acceptedThoughDead: 0, refusedThoughNew: 0, accepted: 0, refused: 0 }
  const done = new AbortController()
  async function runLoadClient(index: number): Promise<void> {
    while (!done.signal.aborted) {
      // Every other one clings to the value before.
      const value = values[Math.max(0, values.length - 1 - (index % 2))]!
      const wasDead = dead.has(value)
      const status = await read(value)
      if (status === 200) seen.accepted += 1
      else seen.refused += 1
      if (wasDead && status === 200) seen.acceptedThoughDead += 1
      // A value that was not replaced meanwhile was in force all the time.
      if (value === values.at(-1) && !rotating && status !== 200) seen.refusedThoughNew += 1
    }
  }
  /**
   * As documented, a request that is rejected while the limits are unavailable changes nothing and
   * may be repeated.
   */
  async function rotate(): Promise<{ key: string }> {
    for (;;) {
      try {
        return await app.services.apiKeys.rotate(account, keyId)
      } catch (error) {
        if (!(error instanceof ApiError) || error.code !== 'unavailable') throw error
        refusedRotations += 1
        await wait(Number(error.options.headers?.['Retry-After']) * 1000)
      }
    }
  }
  let refusedRotations = 0
  let rotating = false
  const loadClients = Array.from({ length: LOAD_CLIENTS }, async (_, index) => {
    await runLoadClient(index)
  })
  for (let rotation = 0; rotation < ROTATIONS; rotation++) {
    rotating = true
    const old = values.at(-1)!
    const rotated = await rotate()
    dead.add(old)
    values.push(rotated.key)
    rotating = false
    const [oldStatus, newStatus] = await Promise.all([read(old), read(rotated.key)])
    if (oldStatus === 200) seen.acceptedThoughDead += 1
    if (newStatus !== 200) seen.refusedThoughNew += 1
    await read(rotated.key)
  }
  done.abort()
  await Promise.all(loadClients)
  t.comment(
    `${ROTATIONS} rotations, ${refusedRotations} refused, ${sent} requests: ${seen.accepted} accepted, ` +
      `${seen.refused} refused`
  )
  t.equal(seen.acceptedThoughDead, 0)
  t.equal(seen.refusedThoughNew, 0)
  t.ok(seen.accepted > ROTATIONS && seen.refused > ROTATIONS, 'both values were tried while keys were rotated')
  t.match(await app.services.apiKeys.list(account), [{ id: keyId, generation: ROTATIONS + 1, status: 'active' }])
})
