import type { Readable } from 'node:stream'

/** Bytes from `start` to `end`, both included, as in HTTP. */
export interface ByteRange {
  start: number
  end: number
}

/**
 * Keeps bytes under keys such as `images/<blogId>/<name>`: segments of `[A-Za-z0-9._-]`, no segment
 * `.` or `..`, at most 512 characters.
 */
export interface Files {
  /**
   * Keeps the bytes whole or not at all, also through a crash; an existing file is replaced.
   * Resolves with the number of bytes when they are durable.
   */
  put: (key: string, bytes: Uint8Array | Readable) => Promise<number>
  /** All the bytes, or null when there is no such file. */
  read: (key: string) => Promise<Buffer | null>
  /** The size in bytes, or null when there is no such file. */
  size: (key: string) => Promise<number | null>
  /**
   * The bytes as a stream, the range where one is given; null when there is no such file. The
   * stream must be read to its end or destroyed.
   */
  stream: (key: string, range?: ByteRange) => Promise<Readable | null>
  /** Removes one file; no error when it is not there. */
  remove: (key: string) => Promise<void>
  /** Removes every file whose key begins with `prefix` + `/`. */
  removeAll: (prefix: string) => Promise<void>
  /**
   * Files in order of key (by code point), those after `afterKey`, whose key begins with `prefix` +
   * `/` where one is given. `putAt` is when the file was kept (RFC 3339).
   */
  list: (page: {
    prefix?: string
    afterKey: string | null
    limit: number
  }) => Promise<{ key: string; size: number; putAt: string }[]>
  close: () => Promise<void>
}
