import { flushCompileCache } from 'node:module'
import { setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import { backgroundNiceness } from './priority.ts'
import { systemThreadId } from './thread-cpu.ts'
import type { ThreadMessage } from './thread-pool.ts'

/** The functions that a thread runs, by task name. */
export type TaskFunctions = Record<string, (input: never) => unknown>

/**
 * Serves the tasks of a thread pool in this thread. On Linux its scheduling priority is lowered; on
 * other systems priorities belong to processes.
 */
export function serveTasks(functions: TaskFunctions): void {
  if (parentPort === null) throw new Error('This module must run in a thread of a pool')
  const port = parentPort
  const send = (message: ThreadMessage): void => port.postMessage(message)
  if (process.platform === 'linux') setPriority(backgroundNiceness())
  port.on('message', ({ name, input }: { name: string; input: unknown }) => {
    try {
      const run = functions[name]
      if (run === undefined) throw new Error(`There is no task ${name}`)
      send({ kind: 'done', value: run(input as never), cpuMs: cpuMs() })
    } catch (error) {
      send({ kind: 'failed', error, cpuMs: cpuMs() })
    }
  })
  send({ kind: 'ready', cpuMs: cpuMs(), systemId: systemThreadId() })
  // Otherwise at the end of the thread, which may be the end of the process.
  flushCompileCache()
}

/** Reports which part of a task starts now, so that an exceeded limit can name it. Starts at 1. */
export function startPart(part: number): void {
  const shared = (workerData as { part?: Int32Array } | null)?.part
  if (shared !== undefined) Atomics.store(shared, 0, part)
}

function cpuMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}
