import { closeSync, fdatasync, fdatasyncSync, openSync } from 'node:fs'
import { promisify } from 'node:util'

/** Waits until the contents of an open file are on the disk. */
export interface Disk {
  sync: (descriptor: number) => Promise<void>
  /** In the event loop. */
  syncNow: (descriptor: number) => void
}

export const DISK: Disk = { sync: promisify(fdatasync), syncNow: fdatasyncSync }

/** Waits for the disk outside of the event loop, once for all changes that were made before (group commit). */
export interface LogFlushes {
  /** A change that must be durable was written to the log. */
  changed: () => void
  /** The number of such changes so far. */
  changes: () => number
  /**
   * Resolves when the first `count` changes are on the disk, and all that was written to the log before them. Rejects
   * when the disk cannot be written; later calls then reject, too, because nothing is known about their changes.
   */
  flushed: (count: number) => Promise<void>
  /** The error of the disk; null without one. */
  failure: () => unknown
  /** Must be called after the database was closed. */
  close: () => void
}

/**
 * Flushes the log of an SQLite file in WAL mode with `synchronous = NORMAL`. With FULL, each transaction would wait for
 * the disk in the event loop, where all requests wait with it: 1 to 10 ms on many servers. Flushing the log is all that
 * FULL does beyond NORMAL (https://sqlite.org/pragma.html#pragma_synchronous). The file of the log stays the same until
 * the database is closed.
 */
export function createLogFlushes(path: string, disk: Disk): LogFlushes {
  let made = 0
  /** How many of the changes are on the disk. */
  let durable = 0
  let descriptor: number | null = null
  let running: Promise<void> | null = null
  let failure: unknown = null
  let isClosed = false

  async function flush(): Promise<void> {
    const count = made
    // Writable, because Windows flushes no other files. If it cannot be opened, the next flush tries again.
    descriptor ??= openSync(path, 'r+')
    try {
      await disk.sync(descriptor)
    } catch (error) {
      failure ??= error
      throw error
    }
    durable = Math.max(durable, count)
  }

  function ended(): void {
    running = null
    if (isClosed) closeFile()
  }

  function closeFile(): void {
    if (descriptor !== null) closeSync(descriptor)
    descriptor = null
  }

  return {
    changed() {
      made += 1
    },
    changes: () => made,
    async flushed(count) {
      // What was written after a flush began may not be part of it.
      while (durable < count) {
        if (failure !== null) throw failure
        running ??= flush().finally(ended)
        await running
      }
    },
    failure: () => failure,
    close() {
      // Closing the database flushes everything.
      isClosed = true
      if (failure === null) durable = Infinity
      if (running === null) closeFile()
    }
  }
}
