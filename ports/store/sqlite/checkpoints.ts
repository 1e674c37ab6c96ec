import { closeSync, openSync } from 'node:fs'
import { performance } from 'node:perf_hooks'
import { currentOwner } from '../../../lib/async.ts'
import { createTurnQueue } from '../../../lib/turn-queue.ts'
import { ApiError, problem } from '../../../errors.ts'
import { toApiError } from './driver-errors.ts'
import type { Disk } from './log-flushes.ts'

/*
 * A checkpoint copies the pages of the log to the file of the database, and waits until they are on the disk. SQLite
 * does that in the transaction that makes the log too long: in the event loop, for as long as the disk needs for
 * thousands of pages in random places. Here, SQLite copies the pages without waiting (some milliseconds), and the file
 * is flushed outside of the event loop.
 *
 * Until it is flushed, the log must stay as it is: after a crash of the machine, the pages are restored from it. SQLite
 * writes over the log in the first transaction after a checkpoint of all its pages. So a checkpoint begins when nothing
 * is being written, and methods that write wait for its end. A transaction that begins all the same waits for the disk
 * in the event loop, as it did before.
 */

/** Pages in the log after which a checkpoint is due: 16 MB. Fewer would write pages that change often more often. */
export const DUE_PAGES = 4_000
/** With so many, new writes wait until those in progress have ended, so that a checkpoint can begin. */
const URGENT_PAGES = 8_000
/** How long they wait for that, in milliseconds, and how long they do not, if that was not sufficient. */
const DRAIN_MS = 50
const PAUSE_MS = 1_000
/** With so many, SQLite makes the checkpoint itself, in the event loop. */
export const FORCED_PAGES = 16_000
/** What writes that waited may use of one turn of the event loop when they start, in milliseconds. */
const STARTS_MS = 2

/** What a checkpoint needs of the database. */
export interface CheckpointedFile {
  path: string
  /** The pages in the log that are not in the file. */
  pages: () => number
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
  write: <Result>(method: () => Promise<Result>) => Promise<Result>
  /** Must be called before each transaction that writes. Throws `unavailable` if the file could not be flushed. */
  beforeWrite: () => void
  /**
   * Must be called before the database is closed. Returns whether it may be: closing deletes the log, which is needed
   * if the file could not be flushed.
   */
  beforeClose: () => boolean
  /** Must be called after it was closed. */
  afterClose: () => void
}

export function createCheckpoints(file: CheckpointedFile): Checkpoints {
  const waiting: { owner: string; start: () => void }[] = []
  const starts = createTurnQueue(STARTS_MS)
  let phase: 'open' | 'draining' | 'running' = 'open'
  let writing = 0
  let notBeforeMs = -Infinity
  let drainTimer: NodeJS.Timeout | undefined
  let descriptor: number | null = null
  /** The pages of a checkpoint may not be on the disk. */
  let isUnsynced = false
  let failure: unknown = null
  let isClosed = false
  let isDatabaseClosed = false

  function open(): void {
    phase = 'open'
    clearTimeout(drainTimer)
    for (const { owner, start } of waiting.splice(0)) starts.add(owner, start)
  }

  function drain(): void {
    phase = 'draining'
    drainTimer = setTimeout(() => {
      notBeforeMs = performance.now() + PAUSE_MS
      open()
    }, DRAIN_MS).unref()
  }

  /** Begins a checkpoint if it is due and nothing is being written, or makes new writes wait for that. */
  function consider(): void {
    if (phase === 'running' || isClosed || failure !== null || performance.now() < notBeforeMs) return
    const pages = file.pages()
    if (pages < DUE_PAGES) return
    if (writing === 0) run().catch(fail)
    else if (phase === 'open' && pages >= URGENT_PAGES) drain()
  }

  async function run(): Promise<void> {
    phase = 'running'
    clearTimeout(drainTimer)
    const writes = file.writes()
    try {
      await file.flushLog()
      // A method that is not known to write may have written.
      if (file.writes() === writes && !isClosed) await copy()
    } finally {
      open()
      if (isDatabaseClosed) closeFile()
    }
  }

  function fail(error: unknown): void {
    failure ??= error
  }

  /** Returns false if the pages could not be copied, such as on a full disk. The log keeps them. */
  function copyPages(): boolean {
    try {
      file.copyPages()
      return true
    } catch (error) {
      if (!(toApiError(error) instanceof ApiError)) throw error
      notBeforeMs = performance.now() + PAUSE_MS
      return false
    }
  }

  async function copy(): Promise<void> {
    // It stays open as long as the database: closing a file releases the locks of the process on it (POSIX, close).
    descriptor ??= openSync(file.path, 'r+')
    if (!copyPages()) return
    isUnsynced = true
    await file.disk.sync(descriptor)
    isUnsynced = false
  }

  function closeFile(): void {
    if (descriptor !== null) closeSync(descriptor)
    descriptor = null
  }

  function syncNow(): void {
    if (!isUnsynced) return
    try {
      if (failure !== null) throw failure
      file.disk.syncNow(descriptor!)
      isUnsynced = false
    } catch (error) {
      fail(error)
      throw problem('unavailable', 'The store failed to write its file.', { cause: error })
    }
  }

  return {
    async write(method) {
      if (phase !== 'open') {
        await new Promise<void>((resolve) => waiting.push({ owner: currentOwner(), start: resolve }))
      }
      writing += 1
      try {
        return await method()
      } finally {
        writing -= 1
        consider()
      }
    },
    beforeWrite: syncNow,
    beforeClose() {
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
      if (phase !== 'running') closeFile()
      open()
    }
  }
}
