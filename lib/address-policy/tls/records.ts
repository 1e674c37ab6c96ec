const HEADER_BYTES = 5
const LENGTH_AT = 3

/**
 * Finds the ends of TLS records in bytes that arrive in any pieces: a header of five bytes, of which the last two are
 * the length of what follows (RFC 8446, section 5.1).
 */
export class RecordReader {
  /** Bytes of the header of the current record that were read. */
  #header = 0
  /** Bytes of the current record that follow: known when its header was read. */
  #left = 0

  /**
   * Reads bytes up to the end of the record with the number `max` (≥ 1), or all. Returns how many bytes those are, and
   * how many records end in them.
   */
  read(bytes: Uint8Array, max: number): { length: number; records: number } {
    let at = 0
    let records = 0
    while (at < bytes.length && records < max) {
      if (this.#header < HEADER_BYTES) {
        if (this.#header >= LENGTH_AT) this.#left = this.#left * 256 + bytes[at]!
        this.#header += 1
        at += 1
      } else {
        const read = Math.min(this.#left, bytes.length - at)
        this.#left -= read
        at += read
      }
      if (this.#header < HEADER_BYTES || this.#left > 0) continue
      this.#header = 0
      records += 1
    }
    return { length: at, records }
  }
}
