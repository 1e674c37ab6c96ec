import { closeSync, openSync, statSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { DatabaseSync, type SQLInputValue, type SQLOutputValue, type StatementSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { LRUCache } from 'lru-cache'
import { StartError } from '../../../errors.ts'
import { currentOwner } from '../../../lib/async.ts'
import { processLoopUse } from '../../../lib/loop-use.ts'
import { makePrivateFolder, PRIVATE_FILE } from '../../../lib/private-files.ts'
import {
  createCheckpoints,
  DUE_PAGES,
  FORCED_PAGES,
  toFlushError,
  type CheckpointedFile,
  type Checkpoints
} from './checkpoints.ts'
import { resultCode, toApiError } from './driver-errors.ts'
import { createLogFlushes, DISK, type Disk } from './log-flushes.ts'
import { migrate } from './migrations.ts'
import { createPageCopier, type PageCopier } from './page-copier.ts'
import { TEMPORARY_SCHEMA } from './temporary-schema.ts'
import { createThreadCheckpoints } from './thread-checkpoints.ts'

/** An open SQLite file. Methods throw API errors instead of driver errors where one applies. */
export interface Database {
  /** The first row, or undefined. */
  one: <Row>(sql: string, ...values: SQLInputValue[]) => Row | undefined
  all: <Row>(sql: string, ...values: SQLInputValue[]) => Row[]
  /**
   * Gives `take` the columns of each row, until it returns false: later rows are not read. For many rows with many
   * columns, whose objects would take as long as reading them. `take` must not run a statement.
   */
  takeColumns: (sql: string, values: SQLInputValue[], take: (columns: SQLOutputValue[]) => boolean) => void
  /** Returns the number of changed rows. Outside of a transaction, the change is one like those of `transaction`. */
  run: (sql: string, ...values: SQLInputValue[]) => number
  /** Changes a temporary table, which is in memory. Returns the number of changed rows. */
  runTemporary: (sql: string, ...values: SQLInputValue[]) => number
  /**
   * Runs `work` in a transaction, and rolls it back when `work` throws. `work` is synchronous, so
   * no other statement runs in between. Transactions cannot be nested. The change is in the log of the file when this
   * returns, and durable when it has been flushed.
   */
  transaction: <Result>(work: () => Result) => Result
  /**
   * Like `transaction`, but `flushed` does not wait for the change. It survives a crash of the process;
   * it survives a crash of the machine only after a later durable change.
   */
  relaxedTransaction: <Result>(work: () => Result) => Result
  /** Like `relaxedTransaction`, and flushes the log within about a second: once for all of this time. */
  deferredTransaction: <Result>(work: () => Result) => Result
  /** Runs a method that writes. It may wait for a checkpoint of the log first, and may be followed by one. */
  write: Checkpoints['write']
  /** Null if `write` does not have to wait for a checkpoint. */
  writeDelay: Checkpoints['writeDelay']
  /** How many changes there were that must be durable. */
  changes: () => number
  /** Resolves when the first `count` of these changes are durable. Rejects with `unavailable`. */
  flushed: (count: number) => Promise<void>
  /**
   * Writes to the file and reads from every table. Throws `unavailable` when one of them fails, or
   * when an earlier statement has found the file damaged, or a flush has failed.
   */
  probe: () => void
  /** Closing twice is harmless. */
  close: () => Promise<void>
}

export interface DatabaseOptions {
  /** Whether a thread makes checkpoints. Not on Windows, where SQLite has no locks for that. Default: false. */
  hasThread?: boolean
  /** For tests. */
  disk?: Disk
}

/** The files that this process has open. The path of a file may change. */
const openFiles = new Set<string>()

function identify(path: string): string {
  const { dev, ino } = statSync(path, { bigint: true })
  return `${dev} ${ino}`
}

/** Prepared statements in each cache. The filters of a list have thousands of combinations. */
const MAX_STATEMENTS = 256
const BUSY_TIMEOUT_MS = 200
const DEFERRED_MS = 1000
/** Result codes of a file that is damaged, or no database at all. */
const DAMAGED: ReadonlySet<number> = new Set([11, 26])
const TABLES = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'"
const SETTINGS = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  PRAGMA foreign_keys = ON;
  PRAGMA cache_size = -16384;
  PRAGMA mmap_size = 67108864;
  PRAGMA wal_autocheckpoint = ${FORCED_PAGES};
  PRAGMA temp_store = MEMORY;`

/**
 * Opens the file and applies migrations. Creates the file and its folder when they are missing, and
 * makes them readable only by their owner. Holds an exclusive lock that the operating system releases when the
 * process ends. Throws StartError when another process has the file open, or when the file is
 * damaged, of a newer version, or cannot be opened.
 */
export function openDatabase(path: string, { hasThread = false, disk = DISK }: DatabaseOptions = {}): Database {
  let file: DatabaseSync | undefined
  try {
    // SQLite gives the files next to the database its mode.
    makePrivateFolder(
      dirname(path),
      ['', '-wal', '-shm', '-journal'].map((suffix) => basename(path) + suffix)
    )
    createFile(path)
    if (openFiles.has(identify(path))) throw inUse(path)
    const location = hasThread ? sharedLocation(path) : path
    file = new DatabaseSync(location, { timeout: BUSY_TIMEOUT_MS })
    if (!hasThread) file.exec('PRAGMA locking_mode = EXCLUSIVE')
    file.exec(SETTINGS)
    // The first write acquires the lock for good. Write before doing anything else.
    file.exec('BEGIN IMMEDIATE; COMMIT')
    migrate(file)
    file.exec(TEMPORARY_SCHEMA)
    // From here on, transactions do not wait for the disk: see `log-flushes.ts`.
    file.exec('PRAGMA synchronous = NORMAL')
    return wrap(file, { path, disk, copier: hasThread ? createPageCopier(location) : null })
  } catch (error) {
    if (file?.isOpen === true) file.close()
    throw toStartError(error, path)
  }
}

/**
 * The file with locks that exclude other processes, but not other connections of this one. They need neither shared
 * memory nor locks of the operating system for each statement (https://sqlite.org/vfs.html, unix-excl).
 */
const sharedLocation = (path: string): string => `${pathToFileURL(path).href}?vfs=unix-excl`

/**
 * Creates an empty file unless one exists. Does not open an existing file: closing it again would
 * release the locks that this process holds on it (POSIX, close).
 */
function createFile(path: string): void {
  try {
    closeSync(openSync(path, 'wx', PRIVATE_FILE))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

const inUse = (path: string): StartError =>
  new StartError(
    `The data folder ${dirname(path)} is in use by another process. Stop that process, or use another folder.`
  )

function toStartError(error: unknown, path: string): unknown {
  if (error instanceof StartError) return error
  const code = resultCode(error)
  if (code === 5 || code === 6) {
    return inUse(path)
  }
  if (DAMAGED.has(code ?? 0)) {
    return new StartError(`The store ${path} is damaged. Restore it from a backup.`, { cause: error })
  }
  if (code !== null || (error as NodeJS.ErrnoException).syscall !== undefined) {
    return new StartError(`The store ${path} cannot be opened: ${(error as Error).message}.`, { cause: error })
  }
  return error
}

/** Whether SQLite can tell the size of the log without a checkpoint: since 3.51 (https://sqlite.org/pragma.html). */
function hasLogState(file: DatabaseSync): boolean {
  const { version } = file.prepare('SELECT sqlite_version() AS version').get() as { version: string }
  const [major, minor] = version.split('.').map(Number)
  return major! > 3 || (major === 3 && minor! >= 51)
}

/** A statement that changes rows and returns some of them. */
const isChange = (sql: string): boolean => sql.includes('RETURNING')

function wrap(
  file: DatabaseSync,
  { path, disk, copier }: { path: string; disk: Disk; copier: PageCopier | null }
): Database {
  const flushes = createLogFlushes(`${path}-wal`, disk)
  const readStatements = new LRUCache<string, StatementSync>({ max: MAX_STATEMENTS })
  const runStatements = new LRUCache<string, StatementSync>({ max: MAX_STATEMENTS })
  const columnStatements = new LRUCache<string, StatementSync>({ max: MAX_STATEMENTS })

  function prepare(sql: string, statements = readStatements): StatementSync {
    const cached = statements.get(sql)
    if (cached !== undefined) return cached
    const statement = file.prepare(sql)
    // FTS5 uses row numbers above 2 ** 53 internally, and `run` always reports the last one:
    // without BigInt it throws.
    statement.setReadBigInts(statements === runStatements)
    statement.setReturnArrays(statements === columnStatements)
    statements.set(sql, statement)
    return statement
  }

  /** The error of the first statement that found the file damaged. */
  let damage: unknown = null
  let writes = 0
  const identity = identify(path)
  openFiles.add(identity)
  const logState = hasLogState(file) ? file.prepare('PRAGMA wal_checkpoint(NOOP)') : null
  logState?.setReturnArrays(true)
  // Without the size of the log, SQLite makes all checkpoints itself.
  if (logState === null) file.exec(`PRAGMA wal_autocheckpoint = ${DUE_PAGES}`)
  const checkpointed: CheckpointedFile = {
    path,
    disk,
    log() {
      if (logState === null) return { pages: 0, copied: 0 }
      const [, pages, copied] = logState.get() as unknown as [number, number, number]
      return { pages, copied }
    },
    copyPages() {
      file.exec('PRAGMA synchronous = OFF')
      try {
        file.prepare('PRAGMA wal_checkpoint(PASSIVE)').get()
      } finally {
        file.exec('PRAGMA synchronous = NORMAL')
      }
    },
    async flushLog() {
      flushes.changed()
      await flushes.flushed(flushes.changes())
    },
    writes: () => writes
  }
  const checkpoints =
    copier === null || logState === null
      ? createCheckpoints(checkpointed)
      : createThreadCheckpoints(checkpointed, copier)

  function beforeWrite(): void {
    checkpoints.beforeWrite()
    writes += 1
  }

  /** Runs a statement that changes something, alone or in a transaction. */
  function change<Result>(statement: () => Result): Result {
    if (file.isTransaction) return translateErrors(statement)
    beforeWrite()
    const result = translateErrors(statement)
    checkpoints.afterWrite()
    flushes.changed()
    return result
  }

  function translateErrors<Result>(work: () => Result): Result {
    try {
      return processLoopUse.measure(currentOwner(), work)
    } catch (error) {
      if (DAMAGED.has(resultCode(error) ?? 0)) damage ??= error
      throw toApiError(error)
    }
  }

  function transaction<Result>(work: () => Result): Result {
    return translateErrors(() => {
      beforeWrite()
      file.exec('BEGIN IMMEDIATE')
      try {
        const result = work()
        file.exec('COMMIT')
        checkpoints.afterWrite()
        return result
      } catch (error) {
        // SQLite rolls back on its own after some errors, such as a full disk.
        if (file.isTransaction) file.exec('ROLLBACK')
        throw error
      }
    })
  }

  async function flushed(count: number): Promise<void> {
    await flushes.flushed(count).catch((error: unknown) => {
      throw toFlushError(error)
    })
  }

  /** Writes a page without changing it. */
  function writePage(): void {
    // `user_version` stays the same, but the page that contains it is written.
    transaction(() => {
      const { user_version: version } = file.prepare('PRAGMA user_version').get() as { user_version: number }
      file.exec(`PRAGMA user_version = ${version}`)
    })
  }

  let deferred: NodeJS.Timeout | undefined

  function flushDeferred(): void {
    deferred = undefined
    flushes.changed()
    // Nobody waits for this. What fails here also fails for the next change, and for `probe`.
    flushes.flushed(flushes.changes()).catch(() => {})
  }

  return {
    one: <Row>(sql: string, ...values: SQLInputValue[]) =>
      (isChange(sql) ? change : translateErrors)(() => prepare(sql).get(...values) as Row | undefined),
    all: <Row>(sql: string, ...values: SQLInputValue[]) =>
      (isChange(sql) ? change : translateErrors)(() => prepare(sql).all(...values) as Row[]),
    takeColumns(sql, values, take) {
      translateErrors(() => {
        const rows = prepare(sql, columnStatements).iterate(...values) as Iterable<unknown>
        for (const columns of rows) if (!take(columns as SQLOutputValue[])) break
      })
    },
    run: (sql, ...values) => change(() => Number(prepare(sql, runStatements).run(...values).changes)),
    runTemporary: (sql, ...values) => translateErrors(() => Number(prepare(sql, runStatements).run(...values).changes)),
    transaction(work) {
      const result = transaction(work)
      flushes.changed()
      return result
    },
    relaxedTransaction: transaction,
    deferredTransaction(work) {
      const result = transaction(work)
      deferred ??= setTimeout(flushDeferred, DEFERRED_MS).unref()
      return result
    },
    write: async (method, isPartOfRequest) => await checkpoints.write(method, isPartOfRequest),
    writeDelay: () => checkpoints.writeDelay(),
    changes: () => flushes.changes(),
    flushed,
    probe() {
      if (damage !== null) throw toApiError(damage)
      if (flushes.failure() !== null) throw toFlushError(flushes.failure())
      writePage()
      flushes.changed()
      translateErrors(() => {
        for (const { name } of file.prepare(TABLES).all()) {
          file.prepare(`SELECT * FROM "${String(name)}" LIMIT 1`).get()
        }
      })
    },
    close: async () => {
      clearTimeout(deferred)
      const mayClose = await checkpoints.beforeClose()
      readStatements.clear()
      runStatements.clear()
      columnStatements.clear()
      // Closing would copy pages of a log that may not be on the disk.
      if (file.isOpen && mayClose && flushes.failure() === null) file.close()
      // Otherwise, the log is needed, and the lock with it: the process must end.
      if (file.isOpen) return
      openFiles.delete(identity)
      checkpoints.afterClose()
      flushes.close()
    }
  }
}
