import { closeSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { StartError } from '../../../errors.ts'
import { resultCode, translated } from './driver-errors.ts'
import { migrate } from './migrations.ts'

/** One SQLite file. Errors of the driver come out translated. */
export interface Database {
  /** The first row, or undefined. */
  one: <Row>(sql: string, ...values: SQLInputValue[]) => Row | undefined
  all: <Row>(sql: string, ...values: SQLInputValue[]) => Row[]
  /** Returns how many rows changed; durable when it returns, unless inside `atomically`. */
  run: (sql: string, ...values: SQLInputValue[]) => number
  /**
   * All that `act` does, or nothing of it when it throws. `act` is synchronous, so nothing comes
   * between. Not nested.
   */
  atomically: <Result>(act: () => Result) => Result
  /**
   * As `atomically`, but does not wait for the disk: it outlives the process, and a crash of the
   * machine only once something durable has come after it.
   */
  atomicallySoon: <Result>(act: () => Result) => Result
  /** Harmless the second time. */
  close: () => void
}

/**
 * How many prepared statements are kept of each kind; the filters of a list may come in thousands
 * of shapes.
 */
const KEPT_STATEMENTS = 256
const BUSY_TIMEOUT_MS = 200
const SETTINGS = `
  PRAGMA locking_mode = EXCLUSIVE;
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  PRAGMA foreign_keys = ON;
  PRAGMA cache_size = -32768;
  PRAGMA mmap_size = 67108864;
  PRAGMA wal_autocheckpoint = 4000;
  PRAGMA temp_store = MEMORY;`

/**
 * Opens the file, makes it and its folder (readable by the owner alone) where they are missing, and
 * brings its tables up to date.
 * Keeps a lock on the file that the operating system frees however the process ends.
 * Throws StartError when another process has it, when it is of a newer version, damaged, or cannot
 * be opened.
 */
export function openDatabase(path: string): Database {
  let file: DatabaseSync | undefined
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    makeFile(path)
    file = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS })
    file.exec(SETTINGS)
    // In exclusive mode the lock is kept from the first write on, so write before anything else is
    // done.
    file.exec('BEGIN IMMEDIATE; COMMIT')
    migrate(file)
    return wrap(file)
  } catch (error) {
    if (file?.isOpen === true) file.close()
    throw startError(error, path)
  }
}

/**
 * Makes the empty file unless there is one. One that is there is not even opened: closing it would
 * lift the locks that this process holds on it (POSIX, close).
 */
function makeFile(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

function startError(error: unknown, path: string): unknown {
  if (error instanceof StartError) return error
  const code = resultCode(error)
  if (code === 5 || code === 6) {
    return new StartError(
      `The data folder ${dirname(path)} is in use by another process: stop that one, or choose another folder.`
    )
  }
  if (code === 11 || code === 26) {
    return new StartError(`The store ${path} is damaged: put back a copy of it.`, { cause: error })
  }
  if (code !== null || (error as NodeJS.ErrnoException).syscall !== undefined) {
    return new StartError(`The store ${path} cannot be opened: ${(error as Error).message}.`, { cause: error })
  }
  return error
}

function wrap(file: DatabaseSync): Database {
  const kept = { read: new Map<string, StatementSync>(), run: new Map<string, StatementSync>() }

  const prepare = (sql: string, how: 'read' | 'run'): StatementSync => {
    const statement = file.prepare(sql)
    // The full-text index gives its own rows numbers above 2 ** 53, and `run` reports the last row
    // whether one asks or not: without BigInt it throws.
    statement.setReadBigInts(how === 'run')
    return statement
  }
  const prepared = (sql: string, how: 'read' | 'run' = 'read'): StatementSync => {
    const statements = kept[how]
    const statement = statements.get(sql) ?? prepare(sql, how)
    // What was used last goes to the end, so that the first is the one to drop.
    statements.delete(sql)
    statements.set(sql, statement)
    if (statements.size > KEPT_STATEMENTS) statements.delete(statements.keys().next().value as string)
    return statement
  }
  const tried = <Result>(act: () => Result): Result => {
    try {
      return act()
    } catch (error) {
      throw translated(error)
    }
  }

  const atomically = <Result>(act: () => Result): Result =>
    tried(() => {
      file.exec('BEGIN IMMEDIATE')
      try {
        const result = act()
        file.exec('COMMIT')
        return result
      } catch (error) {
        // SQLite has rolled back by itself after some errors, such as a full disk.
        if (file.isTransaction) file.exec('ROLLBACK')
        throw error
      }
    })

  return {
    one: <Row>(sql: string, ...values: SQLInputValue[]) => tried(() => prepared(sql).get(...values) as Row | undefined),
    all: <Row>(sql: string, ...values: SQLInputValue[]) => tried(() => prepared(sql).all(...values) as Row[]),
    run: (sql, ...values) => tried(() => Number(prepared(sql, 'run').run(...values).changes)),
    atomically,
    atomicallySoon(act) {
      // In WAL mode NORMAL writes a transaction to the log without waiting for it (sqlite.org,
      // pragma synchronous).
      file.exec('PRAGMA synchronous = NORMAL')
      try {
        return atomically(act)
      } finally {
        file.exec('PRAGMA synchronous = FULL')
      }
    },
    close: () => {
      kept.read.clear()
      kept.run.clear()
      if (file.isOpen) file.close()
    }
  }
}
