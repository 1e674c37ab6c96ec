import { once } from 'node:events'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import t from 'tap'
import { clientLoadingSteps, openOutbound } from '../../../ports/outbound/open.ts'

const { cache } = createRequire(import.meta.url)
const FOLDER = `${path.sep}node_modules${path.sep}undici${path.sep}`

/** The loaded files of undici, relative to its folder. */
const loaded = (): string[] =>
  Object.keys(cache)
    .filter((file) => file.includes(FOLDER))
    .map((file) => file.slice(file.indexOf(FOLDER) + FOLDER.length))

t.test('the steps load what requests need, and nothing else of undici', async (t) => {
  const server = createServer((request, response) => {
    request.resume().on('end', () => response.end('received'))
  }).listen(0, '127.0.0.1')
  const outbound = await openOutbound({ allow: '127.0.0.1' })
  t.teardown(async () => {
    await outbound.close()
    server.close()
  })
  await once(server, 'listening')

  t.same(loaded(), [], 'nothing is loaded before')
  for (const load of clientLoadingSteps()) load()
  const afterSteps = loaded()
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const response = await outbound.send({ url, method: 'POST', body: 'sent' })
  t.match(response, { ok: true, status: 200, body: Buffer.from('received') })
  t.same(
    loaded().filter((file) => !afterSteps.includes(file) && !file.includes('llhttp')),
    [],
    'only the parser in WebAssembly is loaded with the first response'
  )
  t.notOk(afterSteps.includes('index.js'))
  t.notOk(afterSteps.some((file) => file.includes('web/fetch') || file.includes('mock')))
})
