import { closeSync, openSync } from 'node:fs'
import { performance } from 'node:perf_hooks'
import { ApiError, problem } from '../../../errors.ts'
import { toApiError } from './driver-errors.ts'
import type { Disk } from './log-flushes.ts'
import { createWriteGate, type WriteGate } from './write-gate.ts'

/*
 * A checkpoint copies the pages of the log to the file of the database, and waits until they are on the disk. SQLite
 * does that in the transaction that makes the log too long: in the event loop, for as long as the disk needs for
 * thousands of pages in random places. A thread does it where that is possible (`thread-checkpoints.ts`).
 *
 * Otherwise, SQLite copies the pages without waiting (some milliseconds), and the file is flushed outside of the event
 * loop. Until it is flushed, the log must stay as it is: after a crash of the machine, the pages are restored from it.
 * SQLite writes over the log in the first transaction after a checkpoint of all its pages. So a checkpoint begins when
 * nothing is being written, and methods that write wait for its end. A transaction that begins all the same waits for
 * the disk in the event loop.
 */

/** Pages in the log, not yet in the file, that make a checkpoint due: 16 MB. Fewer would copy pages more often. */
export const DUE_PAGES = 4_000
/** With so many, new writes wait until those in progress have ended, so that a checkpoint can begin. */
const URGENT_PAGES = 8_000
/** How long they wait for that, in milliseconds, and how long they do not, if that was not sufficient. */
export const DRAIN_MS = 50
export const PAUSE_MS = 1_000
/** With so many pages in the log, SQLite makes the checkpoint itself, in the event loop. */
export const FORCED_PAGES = 40_000

/** What a checkpoint needs of the database. */
export interface CheckpointedFile {
  path: string
  /** The pages in the log, and how many of them are in the file. */
  log: () => { pages: number; copied: number }
  /** Copies them, without waiting for the disk. */
  copyPages: () => void
  /** Resolves when the log is on the disk. */
  flushLog: () => Promise<void>
  /** The number of transactions so far that wrote something. */
  writes: () => number
  disk: Disk
}

export interface Checkpoints {
  /** Runs a method that writes. It may wait for a checkpoint first, and may be followed by one. */
  write: WriteGate['write']
  /** Null if a method that writes does not have to wait. */
  writeDelay: WriteGate['delay']
  /** Must be called before each transaction that writes. Throws `unavailable` if the file could not be flushed. */
  beforeWrite: () => void
  /** Must be called after it. */
  afterWrite: () => void
  /**
   * Must be called before the database is closed. Resolves with whether it may be: closing deletes the log, which is
   * needed if the file could not be flushed.
   */
  beforeClose: () => Promise<boolean>
  /** Must be called after it was closed. */
  afterClose: () => void
}

export const toFlushError = (cause: unknown): ApiError =>
  problem('unavailable', 'The store failed to write its file.', { cause })

/** The descriptor of a file, for flushes. */
export interface OpenFile {
  descriptor: () => number
  /** Closing a file releases the locks of the process on it (POSIX, close): only when the database is closed. */
  close: () => void
}

/** Opens the file when its descriptor is needed. */
export function createOpenFile(path: string): OpenFile {
  let descriptor: number | null = null
  return {
    descriptor() {
      descriptor ??= openSync(path, 'r+')
      return descriptor
    },
    close() {
      if (descriptor !== null) closeSync(descriptor)
      descriptor = null
    }
  }
}

/** Makes checkpoints in this thread, and flushes the file outside of the event loop. */
export function createCheckpoints(file: CheckpointedFile): Checkpoints {
  const gate = createWriteGate(consider)
  const opened = createOpenFile(file.path)
  let isRunning = false
  let notBeforeMs = -Infinity
  /** The pages of a checkpoint may not be on the disk. */
  let isUnsynced = false
  let failure: unknown = null
  let isClosed = false
  let isDatabaseClosed = false

  /** Begins a checkpoint if it is due and nothing is being written, or makes new writes wait for that. */
  function consider(): void {
    if (isRunning || isClosed || failure !== null || performance.now() < notBeforeMs) return
    const { pages, copied } = file.log()
    if (pages - copied < DUE_PAGES) return
    if (gate.writing() === 0 || pages - copied >= URGENT_PAGES) run().catch(fail)
  }

  async function run(): Promise<void> {
    isRunning = true
    gate.hold()
    try {
      if (gate.writing() === 0 || (await gate.idle(DRAIN_MS))) await flushAndCopy()
      else pause()
    } finally {
      isRunning = false
      gate.open()
      if (isDatabaseClosed) opened.close()
    }
  }

  async function flushAndCopy(): Promise<void> {
    const writes = file.writes()
    await file.flushLog()
    // A method that is not known to write may have written.
    if (file.writes() === writes && !isClosed) await copy()
  }

  async function copy(): Promise<void> {
    const descriptor = opened.descriptor()
    if (!copyPages()) return
    isUnsynced = true
    await file.disk.sync(descriptor)
    isUnsynced = false
  }

  /** Returns false if the pages could not be copied, such as on a full disk. The log keeps them. */
  function copyPages(): boolean {
    try {
      file.copyPages()
      return true
    } catch (error) {
      if (!(toApiError(error) instanceof ApiError)) throw error
      pause()
      return false
    }
  }

  function pause(): void {
    notBeforeMs = performance.now() + PAUSE_MS
  }

  function fail(error: unknown): void {
    failure ??= error
  }

  function syncNow(): void {
    if (!isUnsynced) return
    try {
      if (failure !== null) throw failure
      file.disk.syncNow(opened.descriptor())
      isUnsynced = false
    } catch (error) {
      fail(error)
      throw toFlushError(error)
    }
  }

  return {
    write: gate.write,
    writeDelay: gate.delay,
    beforeWrite: syncNow,
    afterWrite() {},
    async beforeClose() {
      isClosed = true
      try {
        syncNow()
      } catch (error) {
        if (!(error instanceof ApiError)) throw error
      }
      return !isUnsynced
    },
    afterClose() {
      isDatabaseClosed = true
      if (!isRunning) opened.close()
      gate.open()
    }
  }
}
