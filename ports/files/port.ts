import type { Readable } from 'node:stream'

/** Bytes from `start` to `end`, both inclusive, as in HTTP. */
export interface ByteRange {
  start: number
  end: number
}

/**
 * Stores bytes under keys such as `images/<blogId>/<name>`. A key consists of segments of
 * `[A-Za-z0-9._-]` and has at most 512 characters. No segment is `.` or `..`.
 */
export interface Files {
  /**
   * Stores the bytes atomically, even if the process crashes, and replaces an existing file.
   * Resolves with the number of bytes when they are durable.
   */
  put: (key: string, bytes: Uint8Array | Readable) => Promise<number>
  /** All bytes. Null when the file does not exist. */
  read: (key: string) => Promise<Buffer | null>
  /** The size in bytes. Null when the file does not exist. */
  size: (key: string) => Promise<number | null>
  /**
   * The bytes, or a range of them, as a stream. Null when the file does not exist. The caller must
   * read the stream to its end or destroy it.
   */
  stream: (key: string, range?: ByteRange) => Promise<Readable | null>
  /** Removes one file. No error when the file does not exist. */
  remove: (key: string) => Promise<void>
  /** Removes all files whose keys start with `prefix` + `/`. */
  removeAll: (prefix: string) => Promise<void>
  /**
   * Files after `afterKey`, ordered by key (by code point). With `prefix`, only keys that start
   * with `prefix` + `/`. `putAt` is the time of the last put (RFC 3339).
   */
  list: (page: {
    prefix?: string
    afterKey: string | null
    limit: number
  }) => Promise<{ key: string; size: number; putAt: string }[]>
  /** Writes some bytes, waits until they are durable, and removes them. Rejects when that fails. */
  probe: () => Promise<void>
  close: () => Promise<void>
}
