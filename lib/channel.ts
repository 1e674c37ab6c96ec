import type { Duplex } from 'node:stream'
import { encodeFrame, type Frame, FrameDecoder, type FrameLimits } from './frames.ts'

export interface ChannelOptions {
  /** Of received frames. */
  limits: FrameLimits
  /** Of sent frames. */
  sendLimits: FrameLimits
  onFrame: (frame: Frame) => void
  /** Called once, when the other side has closed the stream, or with a FrameError or stream error. */
  onEnd: (error: Error | null) => void
}

export interface Channel {
  /** Throws a FrameError if the message exceeds its limit. Ignored after the end. */
  send: (header: unknown, body?: readonly Buffer[]) => void
  /** Closes the stream. `onEnd` is not called. */
  close: () => void
}

/** Sends and receives frames over a stream. A frame that exceeds its limit ends the channel. */
export function openChannel(stream: Duplex, { limits, sendLimits, onFrame, onEnd }: ChannelOptions): Channel {
  const decoder = new FrameDecoder(limits)
  let isOpen = true

  function end(error: Error | null): void {
    if (!isOpen) return
    isOpen = false
    stream.destroy()
    onEnd(error)
  }

  stream.on('error', end)
  stream.on('end', () => end(null))
  stream.on('close', () => end(null))
  stream.on('data', (chunk: Buffer) => {
    if (!isOpen) return
    let frames: Frame[]
    try {
      frames = decoder.push(chunk)
    } catch (error) {
      end(error as Error)
      return
    }
    for (const frame of frames) onFrame(frame)
  })
  return {
    send(header, body = []) {
      const buffers = encodeFrame(header, body, sendLimits)
      if (!isOpen) return
      stream.cork()
      for (const buffer of buffers) stream.write(buffer)
      stream.uncork()
    },
    close() {
      isOpen = false
      stream.destroy()
    }
  }
}
