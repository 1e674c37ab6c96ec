import type { Readable } from 'node:stream'

/**
 * Hears the errors of a stream before somebody reads it, so that they do not end the process;
 * returns what destroys it if it was not read to its end.
 */
export function holdStream(stream: Readable): () => void {
  const heard = (): void => {}
  stream.on('error', heard)
  return () => {
    stream.destroy()
    stream.off('error', heard)
  }
}
