/** Delimiters that are passed on. More than any form of the service may have, so that its parser reports the error. */
const MAX_DELIMITERS = 32

/** A boundary as clients send it. The parser of forms may understand others in another way. */
const BOUNDARY = /;\s*boundary=("?)([A-Za-z0-9()+_./:?-]{1,70})\1\s*(?:;|$)/i

/**
 * Returns a function that returns what may be read of each chunk of a form: nothing after too many delimiters of
 * parts. The parser makes a stream of each part, and reads a packet to its end even if the parts are too many: one of
 * 64 KB with 13,000 empty parts occupies the event loop for 40 ms, and the garbage collector for longer. If the
 * boundary is unusual, every line that begins like a delimiter counts.
 */
export function createPartLimit(contentType: string): (chunk: Buffer) => Buffer {
  const isOnly = contentType.toLowerCase().split('boundary').length === 2
  const boundary = isOnly ? (BOUNDARY.exec(contentType)?.[2] ?? '') : ''
  const delimiter = Buffer.from(`\r\n--${boundary}`)
  const overlap = delimiter.length - 1
  /** The last bytes, with which a delimiter may begin. It may also begin with the body, as if after a line. */
  let end: Buffer = Buffer.from('\r\n')
  let found = 0

  return (chunk) => {
    if (found >= MAX_DELIMITERS) return chunk.subarray(0, 0)
    if (Buffer.concat([end, chunk.subarray(0, overlap)]).includes(delimiter)) found += 1
    end = Buffer.concat([end, chunk.subarray(-overlap)]).subarray(-overlap)
    if (found >= MAX_DELIMITERS) return chunk.subarray(0, overlap)
    for (let at = chunk.indexOf(delimiter); at !== -1; at = chunk.indexOf(delimiter, at + delimiter.length)) {
      found += 1
      if (found >= MAX_DELIMITERS) return chunk.subarray(0, at + delimiter.length)
    }
    return chunk
  }
}
