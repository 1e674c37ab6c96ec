import { createServer, type AddressInfo } from 'node:net'
import t from 'tap'
import { createKnownInputs, createPatternInputs, type HostileInput } from '../fixtures/isolation/hostile-inputs.ts'
import { createSeededRandom } from '../fixtures/seeded-random.ts'
import { sessionToken, temporaryFolder } from '../helper.ts'
import { createSvc, createUnlimitedKey, startServer } from '../processes.ts'
import { scaled, small } from '../profile.ts'
import { SEED } from '../seed.ts'

const PATTERNS = small ? (scaled ? 40 : 150) : 1000
const MAX_LENGTH = small ? 60_000 : 900_000
/**
 * CPU time for which one turn of the event loop may block it. The goal is 50 ms on an idle machine;
 * shared cores and code that is not compiled yet take longer.
 */
const MAX_BLOCKED_MS = 200
const MAX_RESIDENT_BYTES = 1_200_000_000
const REQUEST_TIMEOUT_MS = 60_000

function toBytes(body: HostileInput['body']): Uint8Array<ArrayBuffer> | undefined {
  if (body === undefined) return undefined
  return new Uint8Array(
    typeof body === 'string' || Buffer.isBuffer(body) ? Buffer.from(body) : Buffer.from(JSON.stringify(body))
  )
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

t.test('no input blocks or ends the service, or fills its memory', async (t) => {
  const data = temporaryFolder(t)
  const svc = createSvc(data)
  const [attacker, neighbor] = [await createUnlimitedKey(svc, 'attacker'), await createUnlimitedKey(svc, 'neighbor')]
  const token = await sessionToken('attacker')
  const meterPort = await freePort()
  const server = await startServer(t, data, {
    NODE_OPTIONS: `--import=${new URL('../fixtures/isolation/block-meter.js', import.meta.url).href}`,
    BLOCK_METER_PORT: String(meterPort),
    RENDER_TIMEOUT_MS: '500',
    LOG_LEVEL: 'error'
  })
  const send = async ({ method, path, headers, body, asUser }: HostileInput): Promise<number> => {
    const response = await fetch(server.url + path, {
      method,
      headers: {
        ...(asUser === true ? { authorization: `Bearer ${token}` } : { 'x-api-key': attacker }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers
      },
      body: toBytes(body),
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS)
    })
    await response.arrayBuffer()
    return response.status
  }
  const measure = async () =>
    (await (await fetch(`http://127.0.0.1:${meterPort}`)).json()) as { blockedMs: number; residentBytes: number }

  const random = createSeededRandom(SEED)
  const inputs = [...createKnownInputs(), ...createPatternInputs(random, PATTERNS, MAX_LENGTH)]
  t.comment(`SEED=${SEED}, ${inputs.length} inputs`)
  // Compiles the code paths, which would count for the first inputs.
  for (const input of createPatternInputs(createSeededRandom(1), 20, 2000)) await send(input)
  const failures: string[] = []
  const blocks: { name: string; blockedMs: number }[] = []
  const delays: number[] = []
  let maxBytes = 0
  for (const input of inputs) {
    await measure()
    const attack = { isRunning: true }
    const ended = send(input)
      .catch((error: unknown) => String(error))
      .finally(() => {
        attack.isRunning = false
      })
    do {
      const startedMs = performance.now()
      const response = await fetch(`${server.url}/api/v1/blogs?pageSize=1`, { headers: { 'x-api-key': neighbor } })
      await response.arrayBuffer()
      delays.push(performance.now() - startedMs)
      if (response.status !== 200) failures.push(`${input.name}: the neighbor got ${response.status}`)
    } while (attack.isRunning)
    const status = await ended
    const { blockedMs, residentBytes } = await measure()
    blocks.push({ name: input.name, blockedMs })
    maxBytes = Math.max(maxBytes, residentBytes)
    if (typeof status === 'string' || status === 500) failures.push(`${input.name}: ${status}`)
  }
  blocks.sort((a, b) => b.blockedMs - a.blockedMs)
  delays.sort((a, b) => a - b)
  const delay = (share: number) => Math.round(delays[Math.floor((delays.length - 1) * share)]!)
  for (const { name, blockedMs } of blocks.slice(0, 8)) t.comment(`${Math.round(blockedMs)} ms of CPU time: ${name}`)
  t.comment(`requests of the neighbor: p50 ${delay(0.5)} ms, p99 ${delay(0.99)} ms, maximum ${delay(1)} ms`)
  t.comment(`memory: at most ${Math.round(maxBytes / 1_000_000)} MB`)
  t.same(failures, [])
  t.same(
    blocks.filter(({ blockedMs }) => blockedMs > MAX_BLOCKED_MS),
    []
  )
  t.ok(maxBytes < MAX_RESIDENT_BYTES, `${maxBytes} bytes`)
  t.equal(server.child.exitCode, null, 'the process was not restarted')
})
