import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A process of its own: a server that responds with 200 to every request. Sends its port as a process message. */
const server = createServer((request, response) => {
  request.resume()
  request.on('end', () => {
    response.end('{"received":true}')
  })
})
server.listen(0, '127.0.0.1', () => {
  process.send!((server.address() as AddressInfo).port)
})
