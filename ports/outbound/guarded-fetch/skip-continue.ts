import type { Socket } from 'node:net'

const START = 'HTTP/1.1 100'
const END = '\r\n\r\n'
/** A longer one is passed on, and then fails as what it is. */
const LONGEST_BYTES = 16_384

/**
 * Takes `100 Continue` out of what is read from a socket, because undici cuts the connection at
 * one, and a client must put up with any that it did not ask for (RFC 9110, section 15.2).
 * Call what it gives before each request: only the beginning of an answer is looked at, never a
 * body.
 */
export function skipContinue(socket: Socket): () => void {
  const read = socket.read.bind(socket)
  let expecting = false
  let held: Buffer | null = null

  function next(chunk: Buffer): Buffer | null {
    let bytes = held === null ? chunk : Buffer.concat([held, chunk])
    held = null
    while (bytes.length > 0) {
      const start = bytes.toString('latin1', 0, START.length)
      const end = start === START ? bytes.indexOf(END) : -1
      if (!START.startsWith(start) || (end === -1 && bytes.length > LONGEST_BYTES)) {
        expecting = false
        return bytes
      }
      if (end === -1) {
        held = bytes
        return null
      }
      bytes = bytes.subarray(end + END.length)
    }
    return null
  }

  socket.read = (size?: number) => {
    const chunk = read(size) as Buffer | null
    return chunk === null || !expecting ? chunk : next(chunk)
  }
  return () => {
    expecting = true
  }
}
