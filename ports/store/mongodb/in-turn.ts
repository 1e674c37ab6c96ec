import type { Database } from './database.ts'

const lines = new WeakMap<Database, Map<string, Promise<unknown>>>()

/**
 * Does the job after those of the same key that this process began before, whatever became of them.
 * So within a process nobody fights for the next number;
 * between processes a unique index decides.
 */
export async function inTurn<Result>(database: Database, key: string, job: () => Promise<Result>): Promise<Result> {
  const line = lineOf(database)
  const mine = (line.get(key) ?? Promise.resolve()).then(job, job)
  line.set(key, mine)
  try {
    return await mine
  } finally {
    if (line.get(key) === mine) line.delete(key)
  }
}

function lineOf(database: Database): Map<string, Promise<unknown>> {
  const line = lines.get(database) ?? new Map<string, Promise<unknown>>()
  lines.set(database, line)
  return line
}
