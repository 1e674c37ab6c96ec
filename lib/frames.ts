/*
 * The wire format between the service and its child processes, in both directions. A frame is
 *
 *   u32 length of the header | u32 length of the body | header (JSON, UTF-8) | body (bytes)
 *
 * in big-endian order. The body carries images, which would be a third larger in JSON.
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

/** The parts of a frame, in order. */
type Part = 'prefix' | 'header' | 'body'

/**
 * Decodes frames from a stream of chunks of any size. Buffers at most one frame of the maximum size:
 * a frame that declares more is rejected before its content is read. Each byte is copied once, when it
 * arrives: joining the chunks of a large body would block the event loop.
 */
export class FrameDecoder {
  readonly #limits: FrameLimits
  #part: Part = 'prefix'
  /** The part that is being received, and how many of its bytes have arrived. */
  #target = Buffer.alloc(PREFIX_BYTES)
  #received = 0
  #header: unknown = null
  #bodyBytes = 0

  constructor(limits: FrameLimits) {
    this.#limits = limits
  }

  /** Returns the frames that the chunk completes. Throws a FrameError. */
  push(chunk: Buffer): Frame[] {
    const frames: Frame[] = []
    for (let at = 0; at < chunk.length; ) {
      const copied = chunk.copy(this.#target, this.#received, at)
      at += copied
      this.#received += copied
      // A part may be empty.
      while (this.#received === this.#target.length) {
        const frame = this.#endPart()
        if (frame !== null) frames.push(frame)
      }
    }
    return frames
  }

  /** Begins the next part. Returns the frame if this was its last one. */
  #endPart(): Frame | null {
    const target = this.#target
    switch (this.#part) {
      case 'prefix': {
        const [header, body] = [target.readUInt32BE(0), target.readUInt32BE(4)]
        assertWithinLimits(header, body, this.#limits)
        this.#bodyBytes = body
        this.#begin('header', header)
        return null
      }
      case 'header':
        this.#header = parseHeader(target)
        this.#begin('body', this.#bodyBytes)
        return null
      case 'body':
        this.#begin('prefix', PREFIX_BYTES)
        return { header: this.#header, body: target }
    }
  }

  #begin(part: Part, bytes: number): void {
    this.#part = part
    this.#received = 0
    // Not from the pool of small buffers, which a part that is used for long would keep in memory.
    this.#target = Buffer.allocUnsafeSlow(bytes)
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
