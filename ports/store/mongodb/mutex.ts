import type { Database } from './database.ts'

const queuesByDatabase = new WeakMap<Database, Map<string, Promise<unknown>>>()

/**
 * Runs the task after all earlier tasks with the same key in this process, whether they succeeded
 * or failed. This avoids conflicts within the process. Between processes, a unique index or a
 * conditional update decides.
 */
export async function withMutex<Result>(database: Database, key: string, task: () => Promise<Result>): Promise<Result> {
  const queues = getQueues(database)
  const result = (queues.get(key) ?? Promise.resolve()).then(task, task)
  queues.set(key, result)
  try {
    return await result
  } finally {
    if (queues.get(key) === result) queues.delete(key)
  }
}

function getQueues(database: Database): Map<string, Promise<unknown>> {
  const queues = queuesByDatabase.get(database) ?? new Map<string, Promise<unknown>>()
  queuesByDatabase.set(database, queues)
  return queues
}
