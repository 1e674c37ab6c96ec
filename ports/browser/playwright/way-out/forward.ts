import { type IncomingMessage, request as askSite, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { pipeline } from 'node:stream'
import type { Target } from '../../../../lib/address-policy/target.ts'
import type { Ledger } from './pass.ts'
import { passingHeaders } from './passing-headers.ts'
import { type Reply, replyTo } from './replies.ts'

/** The head of a site's answer may be this long. */
export const HEADER_BYTES = 32_768

export interface Errand {
  target: Target
  socket: Socket
  ledger: Ledger
}

/** Answers a request of the browser ourselves. */
export function answer(response: ServerResponse, { status, reason, headers, body }: Reply): void {
  if (response.destroyed || response.headersSent) return
  response.writeHead(status, reason, [...headers, 'content-length', String(Buffer.byteLength(body))])
  response.end(body)
}

/**
 * Sends a plain http request over a socket that was opened for it, and the answer back; either side
 * is read no faster than the other takes it. Whatever goes wrong on one side
 * ends the other: an answer that was cut is cut for the browser too. The socket is closed in the
 * end.
 */
export function forward(request: IncomingMessage, response: ServerResponse, { target, socket, ledger }: Errand): void {
  const count = ledger.meter(socket)
  const chunked = request.headers['transfer-encoding'] !== undefined
  const headers = [
    'Host',
    target.origin.slice('http://'.length),
    ...passingHeaders(request.rawHeaders, ['host']),
    ...(chunked ? ['Transfer-Encoding', 'chunked'] : [])
  ]
  const asked = askSite({
    method: request.method,
    path: target.path,
    headers,
    createConnection: () => socket,
    maxHeaderSize: HEADER_BYTES
  })
  const fail = (error: unknown) => {
    socket.destroy()
    if (response.headersSent) response.destroy()
    else answer(response, replyTo(error))
  }
  response.once('close', () => socket.destroy())
  asked.on('information', count)
  asked.once('error', fail)
  // An answer that asks for another protocol ends here without an error.
  asked.once('close', () => {
    if (!response.headersSent) fail(null)
  })
  asked.once('response', (given) => {
    given.on('data', count)
    try {
      writeHead(response, given)
    } catch (error) {
      return fail(error)
    }
    pipeline(given, response, (error) => {
      if (error) fail(error)
    })
  })
  request.on('data', count)
  pipeline(request, asked, (error) => {
    if (error) fail(error)
  })
}

/** Throws for a head that could not be passed on as it is. */
function writeHead(response: ServerResponse, given: IncomingMessage): void {
  const status = given.statusCode as number
  // A site is no proxy: the browser would ask us for other credentials.
  if (status === 407) throw new Error('The site asks for the credentials of a proxy')
  response.sendDate = false
  // Whoever says both lengths means the chunks (RFC 9112, section 6.3).
  const also = given.headers['transfer-encoding'] === undefined ? [] : ['content-length']
  response.writeHead(status, given.statusMessage, passingHeaders(given.rawHeaders, also))
}
