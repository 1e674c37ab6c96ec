import type { Socket } from 'node:net'

/**
 * `kOnHeaders`, `kOnHeadersComplete`, `kOnBody` and `kOnMessageComplete` of Node's HTTPParser: the properties of a
 * parser with the functions that receive what it finds.
 */
const CALLBACKS = [1, 2, 3, 4] as const

/** The parts of Node's parser that stop it. */
interface Parser extends Partial<Record<(typeof CALLBACKS)[number], unknown>> {
  pause: () => void
}

/**
 * Stops the parser of a connection while it parses a packet, which may have thousands of further requests or chunks:
 * nothing of the rest is passed on. `pause` alone takes effect after the packet. Calls `afterPacket` then. The
 * connection cannot be used any more, and its owner has to close it.
 */
export function stopParser(socket: Socket, afterPacket: () => void): void {
  const { parser } = socket as { parser?: Parser | null }
  if (parser === null || parser === undefined) {
    setImmediate(afterPacket)
    return
  }
  parser.pause()
  // In a Node whose parser differs, the rest of the packet takes its time.
  const callbacks = CALLBACKS.map((key) => [key, parser[key]] as const).filter(
    ([, callback]) => typeof callback === 'function'
  )
  for (const [key] of callbacks) parser[key] = null
  setImmediate(() => {
    // Node uses the parser again for other connections.
    for (const [key, callback] of callbacks) parser[key] = callback
    afterPacket()
  })
}
