import { readFileSync, readlinkSync } from 'node:fs'
import type { Worker } from 'node:worker_threads'
import { withTimeout } from './async.ts'

/** How long a thread may take to report its CPU time. A thread inside native code reports late. */
const REPORT_TIMEOUT_MS = 1_000
const NANOSECONDS_PER_MS = 1_000_000

/**
 * The number that the system gave the thread that calls this, by which other threads find its CPU time. Null on
 * systems other than Linux.
 */
export function systemThreadId(): number | null {
  if (process.platform !== 'linux') return null
  try {
    // PROCESS/task/THREAD: https://man7.org/linux/man-pages/man5/proc_thread-self.5.html
    return Number(readlinkSync('/proc/thread-self').split('/').at(-1))
  } catch {
    return null // There is no /proc.
  }
}

/**
 * The CPU time of a thread in milliseconds. The system knows it; otherwise the thread itself is asked, which cannot
 * respond while it waits for a core or runs native code. Null if it does not respond in a second, or has ended.
 */
export async function cpuMsOfThread(worker: Worker, systemId: number | null): Promise<number | null> {
  const knownMs = systemId === null ? null : readCpuMs(systemId)
  if (knownMs !== null) return knownMs
  return await withTimeout(worker.cpuUsage(), REPORT_TIMEOUT_MS).then(
    ({ user, system }) => (user + system) / 1000,
    () => null
  )
}

function readCpuMs(systemId: number): number | null {
  try {
    // Nanoseconds on a core, then those of waiting: https://docs.kernel.org/scheduler/sched-stats.html
    const [onCore] = readFileSync(`/proc/self/task/${systemId}/schedstat`, 'utf8').split(' ')
    return Number(onCore) / NANOSECONDS_PER_MS
  } catch {
    return null // The thread has ended, or the kernel has no such statistics.
  }
}
