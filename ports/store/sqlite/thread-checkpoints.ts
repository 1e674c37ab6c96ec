import { performance } from 'node:perf_hooks'
import { currentOwner } from '../../../lib/async.ts'
import {
  createOpenFile,
  DRAIN_MS,
  DUE_PAGES,
  PAUSE_MS,
  toFlushError,
  type CheckpointedFile,
  type Checkpoints
} from './checkpoints.ts'
import { resultCode } from './driver-errors.ts'
import type { PageCopier } from './page-copier.ts'
import { createWriteGate } from './write-gate.ts'

/*
 * A thread copies the pages of the log to the file while others write. SQLite writes over the log from its beginning in
 * the first transaction that finds all pages copied. While there are writes at all times, some pages are always left,
 * and the log becomes longer. When it is long, the pages are copied until few are left, and then all writes wait until
 * the last ones are copied.
 *
 * If pages are written faster than the disk takes them, those owners wait that wrote most of the log.
 */

/** With so many pages in the log, it must begin again: 48 MB. */
const LONG_LOG_PAGES = 12_000
/** When so many were written while others are copied, owners that wrote much of them wait for the end of the copy, */
const BACKLOG_PAGES = 1_000
/** which is this share of what the owner that wrote most did lately. */
const MUCH_SHARE = 0.5
/** With so many in the log, all writes wait. */
const FULL_LOG_PAGES = 32_000
/** All writes wait when at most so many pages are left, or after so many copies. */
const FEW_PAGES = 500
const MAX_COPIES = 4
/** Half of the pages that an owner wrote is forgotten after so many milliseconds. */
const HALF_LIFE_MS = 500
/** How long nothing is copied after the thread itself failed, in milliseconds. */
const THREAD_PAUSE_MS = 60_000
/** Result codes after which the file cannot be trusted: I/O error, damaged, no database. */
const FATAL: ReadonlySet<number | null> = new Set([10, 11, 26])

/** Makes checkpoints in a thread. */
export function createThreadCheckpoints(
  file: Pick<CheckpointedFile, 'path' | 'log' | 'disk' | 'flushLog'>,
  copier: PageCopier
): Checkpoints {
  const gate = createWriteGate(consider)
  const opened = createOpenFile(file.path)
  const written = createRecentPages()
  let lastPages = 0
  /** The pages that were in the log when the current copy began. */
  let copyingPages = 0
  let isHolding = false
  let isRunning = false
  let notBeforeMs = -Infinity
  let failure: unknown = null
  let isClosed = false
  let isDatabaseClosed = false

  function noteWrite(): void {
    const { pages } = file.log()
    if (pages < lastPages) lastPages = 0
    written.add(currentOwner(), pages - lastPages)
    lastPages = pages
    if (!isRunning) return
    if (pages >= FULL_LOG_PAGES) holdAll()
    else if (!isHolding && pages - copyingPages >= BACKLOG_PAGES) holdThoseWhoWroteMuch()
  }

  function holdAll(): void {
    isHolding = true
    gate.hold()
  }

  function holdThoseWhoWroteMuch(): void {
    isHolding = true
    const owners = written.largest(MUCH_SHARE)
    gate.hold((owner) => owners.has(owner))
  }

  function pagesLeft(): number {
    const { pages, copied } = file.log()
    return pages - copied
  }

  function consider(): void {
    if (isRunning || isClosed || failure !== null || performance.now() < notBeforeMs) return
    const left = pagesLeft()
    if (lastPages >= LONG_LOG_PAGES && left > 0) run(beginAgain).catch(fail)
    else if (left >= DUE_PAGES) run(copyBesideWrites).catch(fail)
  }

  async function run(work: () => Promise<void>): Promise<void> {
    isRunning = true
    try {
      await work()
    } finally {
      isRunning = false
      isHolding = false
      gate.open()
      if (isDatabaseClosed) opened.close()
    }
    consider()
  }

  async function beginAgain(): Promise<void> {
    for (let copies = 0; pagesLeft() > FEW_PAGES && copies < MAX_COPIES; copies++) {
      await copyBesideWrites()
      if (isClosed || performance.now() < notBeforeMs) return
    }
    holdAll()
    if (await gate.idle(DRAIN_MS)) await copy()
    // If something has written meanwhile, the log stays as long as it is.
    if (pagesLeft() > 0) pause(PAUSE_MS)
  }

  async function copyBesideWrites(): Promise<void> {
    await copy()
    // SQLite flushes the file only when no page is left. All would have to be written then.
    if (!isClosed) await file.disk.sync(opened.descriptor())
  }

  /** Throws if the file cannot be trusted any more. Otherwise, a copy that failed is tried again later. */
  async function copy(): Promise<void> {
    // The thread opens the log anew, and such a descriptor would not report an earlier error (Linux).
    await file.flushLog()
    if (isClosed) return
    copyingPages = file.log().pages
    try {
      await copier.copy()
    } catch (error) {
      if (isClosed) return
      const code = resultCode(error)
      if (FATAL.has(code)) throw error
      if (code === null) process.emitWarning(`The thread for checkpoints failed: ${(error as Error).message}`)
      pause(code === null ? THREAD_PAUSE_MS : PAUSE_MS)
    }
  }

  function pause(ms: number): void {
    notBeforeMs = performance.now() + ms
  }

  function fail(error: unknown): void {
    failure ??= error
  }

  return {
    write: gate.write,
    writeDelay: gate.delay,
    beforeWrite() {
      if (failure !== null) throw toFlushError(failure)
    },
    afterWrite: noteWrite,
    async beforeClose() {
      isClosed = true
      await copier.close()
      // The log has what the file may lack.
      return failure === null
    },
    afterClose() {
      isDatabaseClosed = true
      if (!isRunning) opened.close()
      gate.open()
    }
  }
}

/** The pages that each owner wrote lately. */
function createRecentPages() {
  const pages = new Map<string, number>()
  let forgottenMs = performance.now()

  function forget(): void {
    const sinceMs = performance.now() - forgottenMs
    if (sinceMs < HALF_LIFE_MS / 10) return
    forgottenMs += sinceMs
    const factor = 0.5 ** (sinceMs / HALF_LIFE_MS)
    for (const [owner, count] of pages) {
      if (count * factor < 1) pages.delete(owner)
      else pages.set(owner, count * factor)
    }
  }

  return {
    add(owner: string, count: number): void {
      forget()
      pages.set(owner, (pages.get(owner) ?? 0) + count)
    },
    /** The owners that wrote at least this share of what the one that wrote most did. Nobody owns what is for all. */
    largest(share: number): Set<string> {
      forget()
      pages.delete('')
      const most = Math.max(0, ...pages.values())
      return new Set([...pages].filter(([, count]) => count >= share * most).map(([owner]) => owner))
    }
  }
}
