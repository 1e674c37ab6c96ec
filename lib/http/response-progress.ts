import type { ServerResponse } from 'node:http'

/** Of a body that is written at once, Node.js does not tell how much the system has taken. */
const PART_BYTES = 256 * 1024

/** How much of a response its client has taken. */
export interface ResponseProgress {
  /** The bytes of the body, which stay in memory until the client has taken all of them. 0: nothing is sent yet. */
  readonly bytes: number
  /** The bytes that the system has taken, which buffers some megabytes for each connection. */
  taken: () => number
}

/**
 * Makes `end` of a response send its body in parts, each of them when the one before has been taken. Calls `onBody`
 * with the length of the body when it is sent.
 */
export function trackProgress(response: ServerResponse, onBody: (bytes: number) => void): ResponseProgress {
  const end = response.end.bind(response) as (body?: unknown, ...rest: unknown[]) => ServerResponse
  let bytes = 0
  let written = 0

  function sendParts(body: Buffer, rest: unknown[]): void {
    if (response.destroyed) return
    while (written < bytes) {
      const part = body.subarray(written, written + PART_BYTES)
      written += part.length
      if (written === bytes) end(part, ...rest)
      else if (!response.write(part)) {
        response.once('drain', () => sendParts(body, rest))
        return
      }
    }
  }

  response.end = ((body?: unknown, ...rest: unknown[]) => {
    if (typeof body !== 'string' && !Buffer.isBuffer(body)) return end(body, ...rest)
    const buffer = typeof body === 'string' ? Buffer.from(body, rest[0] as BufferEncoding | undefined) : body
    bytes = buffer.length
    onBody(bytes)
    if (bytes <= PART_BYTES) {
      written = bytes
      return end(body, ...rest)
    }
    if (!response.headersSent && !response.hasHeader('content-length')) response.setHeader('content-length', bytes)
    sendParts(buffer, rest)
    return response
  }) as ServerResponse['end']

  return {
    get bytes() {
      return bytes
    },
    taken: () => written - Math.min(written, response.writableLength)
  }
}
