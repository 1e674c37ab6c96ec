import { getPriority, setPriority } from 'node:os'

/** The lowest priority on Linux. Other systems round it. */
export const MAX_NICENESS = 19
/** Below API processes on the same machine, and far enough above the browsers that a worker starts. */
const WORKER_NICENESS = 5
/** Work on untrusted input has so much more than the event loop of its process. */
const BACKGROUND_NICENESS = 5

/**
 * On a machine where processes with requests run as well, those come first: every step of a request would wait for the
 * CPU behind jobs. It has no effect while the CPU is idle, nor on containers, which share the CPU by settings of their
 * own.
 */
export function lowerWorkerPriority(): void {
  if (getPriority() < WORKER_NICENESS) setPriority(WORKER_NICENESS)
}

/**
 * The niceness of threads and child processes that work on untrusted input: the event loop of the process that calls
 * this comes first. Only root may set a lower niceness than the current one.
 */
export const backgroundNiceness = (): number => Math.min(MAX_NICENESS, getPriority() + BACKGROUND_NICENESS)
