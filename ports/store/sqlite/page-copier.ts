import { createThreadPool } from '../../../lib/thread-pool.ts'

/** Copies the pages of the log to the file of the database, while others read and write. */
export interface PageCopier {
  /**
   * Resolves when the pages that were in the log are in the file, and on the disk. Rejects with an error that has the
   * `errcode` of SQLite, or with another one if the thread failed, which says nothing about the file. The log remains.
   */
  copy: () => Promise<void>
  /** Resolves when the file is not open any more. A copy in progress may reject. */
  close: () => Promise<void>
}

/** The message and the result code of an error of SQLite. */
export interface CopyError {
  message: string
  errcode: number
}

/** CPU time of a copy, in milliseconds: far more than it needs. The disk may take fifteen times as long. */
const TIMEOUT_MS = 600_000
/** How long the thread waits for the next copy before it ends, in milliseconds. */
const IDLE_MS = 10_000
const MAX_HEAP_MB = 32

/**
 * Copies pages in a thread with a connection of its own, which waits there for the disk: first for the log, and then
 * for the file. `location` is that of a file with connections that share their locks (`vfs=unix-excl`).
 */
export function createPageCopier(location: string): PageCopier {
  const pool = createThreadPool({
    entry: new URL('page-copier-thread.ts', import.meta.url),
    maxThreads: 1,
    reservesThread: false,
    timeoutMs: TIMEOUT_MS,
    maxHeapMb: MAX_HEAP_MB,
    idleMs: IDLE_MS
  })
  return {
    async copy() {
      const error = (await pool.run({ account: '', name: 'copyPages', input: location })) as CopyError | null
      if (error !== null) throw Object.assign(new Error(error.message), { errcode: error.errcode })
    },
    close: () => pool.close()
  }
}
