import { once } from 'node:events'
import { connect } from 'node:net'
import { randomBytes } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import sharp from 'sharp'
import { freePort } from '../../bench/harness/server-process.ts'
import { CONNECTION_ATTACKS } from '../fixtures/isolation/connection-attacks.ts'
import { temporaryFolder } from '../helper.ts'
import { createSvc, createUnlimitedKey, startServer } from '../processes.ts'
import { small, testEmbedded } from '../profile.ts'

const CONNECTIONS = small ? 600 : 3_000
const ATTACK_MS = small ? 2_500 : 10_000
/** As in `isolation.stress.test.ts`. */
const MAX_BLOCKED_MS = 200
const MAX_RESIDENT_BYTES = 1_200_000_000
/** Of a request on a new connection. The goal is 100 ms at the 99th percentile on an idle machine. */
const MAX_WAIT_MS = 1_500
const PROBE_MS = 30

/** Sends a request on a connection of its own. Returns its status. */
async function probe(port: number, key: string): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1' })
  try {
    await once(socket, 'connect')
    socket.write(`GET /api/v1/blogs?pageSize=1 HTTP/1.1\r\nHost: a\r\nX-API-Key: ${key}\r\nConnection: close\r\n\r\n`)
    const [data] = (await once(socket, 'data')) as [Buffer]
    return data.toString('latin1', 9, 12)
  } catch (error) {
    return String((error as NodeJS.ErrnoException).code)
  } finally {
    socket.destroy()
  }
}

testEmbedded('unusual connections do not block, end or fill the service', async (t) => {
  const data = temporaryFolder(t)
  const svc = createSvc(data)
  const [attacker, neighbor] = [await createUnlimitedKey(svc, 'attacker'), await createUnlimitedKey(svc, 'neighbor')]
  const meterPort = await freePort()
  const server = await startServer(t, data, {
    NODE_OPTIONS: `--import=${new URL('../fixtures/isolation/block-meter.js', import.meta.url).href}`,
    BLOCK_METER_PORT: String(meterPort),
    LOG_LEVEL: 'error'
  })
  const measure = async () =>
    (await (await fetch(`http://127.0.0.1:${meterPort}`)).json()) as { blockedMs: number; residentBytes: number }
  const post = async (path: string, body: BodyInit, type = 'application/json') => {
    const headers = { 'x-api-key': attacker, 'content-type': type }
    const response = await fetch(server.url + path, { method: 'POST', headers, body })
    return (await response.json()) as { id: string; url: string }
  }
  const { id } = await post(
    '/api/v1/blogs',
    JSON.stringify({ projectId: 'a', title: 'A', markdown: 'A', status: 'published' })
  )
  const pixels = { raw: { width: 1500, height: 1500, channels: 3 } } as const
  const noise = await sharp(randomBytes(1500 * 1500 * 3), pixels)
    .png({ compressionLevel: 1 })
    .toBuffer()
  const image = await post(`/api/v1/blogs/${id}/images?filename=a.png`, new Uint8Array(noise), 'image/png')
  const target = { port: Number(new URL(server.url).port), key: attacker, imagePath: new URL(image.url).pathname }

  for (const [name, attack] of Object.entries(CONNECTION_ATTACKS)) {
    await measure()
    const end = AbortSignal.timeout(ATTACK_MS)
    const attacking = attack(target, CONNECTIONS, end)
    const delays: number[] = []
    const statuses = new Set<string>()
    while (!end.aborted || delays.length < 10) {
      const startedMs = performance.now()
      statuses.add(await probe(target.port, neighbor))
      delays.push(performance.now() - startedMs)
      await wait(PROBE_MS)
    }
    await attacking
    statuses.add(await probe(target.port, neighbor))
    const { blockedMs, residentBytes } = await measure()
    delays.sort((a, b) => a - b)
    const delay = (share: number) => Math.round(delays[Math.floor((delays.length - 1) * share)]!)
    t.comment(
      `${name}: ${Math.round(blockedMs)} ms of CPU time in a turn, ${Math.round(residentBytes / 1e6)} MB, ` +
        `the neighbor waited ${delay(0.5)} ms at the median, ${delay(0.99)} ms at p99, at most ${delay(1)} ms`
    )
    t.same([...statuses], ['200'], name)
    t.ok(blockedMs <= MAX_BLOCKED_MS, `${name}: ${blockedMs} ms`)
    t.ok(delay(1) <= MAX_WAIT_MS, `${name}: ${delay(1)} ms`)
    t.ok(residentBytes <= MAX_RESIDENT_BYTES, `${name}: ${residentBytes} bytes`)
  }
  t.equal(server.child.exitCode, null, 'the process was not restarted')
})
