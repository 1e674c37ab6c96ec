import net from 'node:net'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import t from 'tap'
import { temporaryFolder } from '../helper.ts'
import { createSvc, startServer } from '../processes.ts'

const BUSY_THREAD = pathToFileURL(path.resolve(import.meta.dirname, '../fixtures/busy-native-thread.ts')).href
/** The documented time, and some for a busy machine. */
const MAX_STOP_MS = 45_000

t.test('a process ends in time although a request and a native thread do not', { timeout: 120_000 }, async (t) => {
  const data = temporaryFolder(t)
  const key = (await createSvc(data)('keys', 'create', '--name', 'Stop', '--account', 'acme')).out.trim()
  const server = await startServer(t, data, { NODE_OPTIONS: `--import=${BUSY_THREAD}` })
  const { hostname, port } = new URL(server.url)
  const socket = net.connect({ host: hostname, port: Number(port) })
  t.teardown(() => socket.destroy())
  socket.on('error', () => {})
  socket.write('POST /api/v1/products HTTP/1.1\r\nHost: x\r\n')
  socket.write(`X-Api-Key: ${key}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`)
  await wait(500)
  const signaledMs = performance.now()
  t.strictSame(await server.end('SIGTERM'), { code: null, signal: 'SIGKILL' })
  const stopMs = performance.now() - signaledMs
  t.ok(stopMs > 5_000 && stopMs < MAX_STOP_MS, `${Math.round(stopMs)} ms`)
})
