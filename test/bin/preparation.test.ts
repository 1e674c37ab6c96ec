import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import t from 'tap'
import { prepareAfterFirstRequest } from '../../bin/preparation.ts'

t.test('what is compiled on first use is prepared after the first request to the API', async (t) => {
  const server = createServer((_request, response) => {
    response.end()
  }).listen(0, '127.0.0.1')
  t.teardown(() => {
    server.close()
    server.closeAllConnections()
  })
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  let prepared = 0
  const last = Promise.withResolvers<undefined>()
  const prepare = () => {
    prepared++
    if (prepared === 20) last.resolve(undefined)
  }
  prepareAfterFirstRequest(
    server,
    Array.from({ length: 20 }, () => prepare)
  )
  await (await fetch(`${url}/health/live`)).text()
  await wait(100)
  t.equal(prepared, 0, 'probes are no use of the service')
  await (await fetch(`${url}/api/v1/blogs`)).text()
  await last.promise
  await (await fetch(`${url}/api/v1/blogs`)).text()
  await wait(100)
  t.equal(prepared, 20, 'once')
})
