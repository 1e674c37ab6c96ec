/*
 * The wire format between the service and a browser process, in both directions. A frame is
 *
 *   u32 length of the header | u32 length of the body | header (JSON, UTF-8) | body (bytes)
 *
 * in big-endian order. The body carries screenshots, which would be a third larger in JSON.
 */

export interface FrameLimits {
  maxHeaderBytes: number
  maxBodyBytes: number
}

export interface Frame {
  header: unknown
  body: Buffer
}

const PREFIX_BYTES = 8

/** A frame is too large or malformed. The connection cannot be used any longer. */
export class FrameError extends Error {
  override readonly name = 'FrameError'
}

/** Encodes a frame as buffers to write in order. Throws a FrameError if a part exceeds its limit. */
export function encodeFrame(header: unknown, body: readonly Buffer[], limits: FrameLimits): Buffer[] {
  const json = Buffer.from(JSON.stringify(header), 'utf8')
  const bodyBytes = body.reduce((sum, { length }) => sum + length, 0)
  assertWithinLimits(json.length, bodyBytes, limits)
  const prefix = Buffer.alloc(PREFIX_BYTES)
  prefix.writeUInt32BE(json.length, 0)
  prefix.writeUInt32BE(bodyBytes, 4)
  return [prefix, json, ...body]
}

/**
 * Decodes frames from a stream of chunks of any size. Buffers at most one frame of the maximum size:
 * a frame that declares more is rejected before its content is read.
 */
export class FrameDecoder {
  readonly #limits: FrameLimits
  #chunks: Buffer[] = []
  #buffered = 0
  /** The lengths of the frame that is being received. */
  #expected: { header: number; body: number } | null = null

  constructor(limits: FrameLimits) {
    this.#limits = limits
  }

  /** Returns the frames that the chunk completes. Throws a FrameError. */
  push(chunk: Buffer): Frame[] {
    this.#chunks.push(chunk)
    this.#buffered += chunk.length
    const frames: Frame[] = []
    for (let frame = this.#next(); frame !== null; frame = this.#next()) frames.push(frame)
    return frames
  }

  #next(): Frame | null {
    if (this.#expected === null) {
      if (this.#buffered < PREFIX_BYTES) return null
      const prefix = this.#take(PREFIX_BYTES)
      const [header, body] = [prefix.readUInt32BE(0), prefix.readUInt32BE(4)]
      assertWithinLimits(header, body, this.#limits)
      this.#expected = { header, body }
    }
    const { header, body } = this.#expected
    if (this.#buffered < header + body) return null
    this.#expected = null
    return { header: parseHeader(this.#take(header)), body: this.#take(body) }
  }

  /** Removes bytes from the front. They are buffered completely. Chunks are joined only here. */
  #take(length: number): Buffer {
    if (length === 0) return Buffer.alloc(0)
    const taken: Buffer[] = []
    for (let left = length; left > 0; ) {
      const first = this.#chunks[0]!
      if (first.length <= left) {
        taken.push(first)
        this.#chunks.shift()
        left -= first.length
      } else {
        taken.push(first.subarray(0, left))
        this.#chunks[0] = first.subarray(left)
        left = 0
      }
    }
    this.#buffered -= length
    return taken.length === 1 ? taken[0]! : Buffer.concat(taken)
  }
}

function assertWithinLimits(header: number, body: number, { maxHeaderBytes, maxBodyBytes }: FrameLimits): void {
  if (header <= maxHeaderBytes && body <= maxBodyBytes) return
  throw new FrameError(
    `A message has ${header} + ${body} bytes, but at most ${maxHeaderBytes} + ${maxBodyBytes} are allowed.`
  )
}

function parseHeader(json: Buffer): unknown {
  try {
    return JSON.parse(json.toString('utf8'))
  } catch (cause) {
    throw new FrameError('The header of a message is not valid JSON.', { cause })
  }
}
