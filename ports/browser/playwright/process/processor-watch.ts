import { readFileSync } from 'node:fs'
import { setPriority } from 'node:os'
import { MAX_NICENESS } from '../../../../lib/priority.ts'
import { findDescendants, listSync } from './process-tree.ts'

/** Each level of niceness has this part of the processor time of the one before (sched(7)). */
const LEVEL = 1 / 1.25
/** The running threads of a browser together weigh as much as so many threads of its first niceness. */
const MAX_WEIGHT = 2
/**
 * The browser is ended when more threads run: with the lowest priority, they would still take too much. For a first
 * niceness of 5. With a higher one, fewer levels are left, and the event loop of the service weighs less.
 */
const MAX_RUNNING = 60
const USUAL_NICENESS = 5
/** Ordinary pages have a few. */
const MIN_OF_MAX_RUNNING = 12
/**
 * Threads are counted only if the processes have used this part of a processor since the last time. At a lowered
 * priority they always are: many threads use little beside others then.
 */
const MIN_USE = 0.5
/** Of the times in /proc (`getconf CLK_TCK`). */
const TICK_MS = 10
/** Measurements among which the second highest number of running threads counts. */
const COUNTS = 5
/** Every n-th measurement of a browser that does little looks for new processes. */
const SCAN_INTERVAL = 5

/** Watches how much processor time a browser takes from other threads of the machine. */
export interface ProcessorWatch {
  /** Whether the priority was lowered, which cannot be undone without privileges. */
  isSlowed: () => boolean
  /** Measures once, and lowers the priority if needed. Returns false if too many threads run. */
  measure: () => boolean
}

/**
 * Watches the descendants of a process, which have the given niceness at first. The kernel divides processor time
 * among threads, so that a page with 64 workers gets most of it at any fixed niceness: the more of its threads run,
 * the lower their priority. Counts threads that run or wait for a processor in two of the last five measurements, so
 * that one short burst does not count, but workers that run and pause in turns do. Does nothing on systems without
 * /proc.
 */
export function createProcessorWatch(
  { pid, niceness: first }: { pid: number; niceness: number },
  nowMs: () => number = () => performance.now()
): ProcessorWatch {
  const maxRunning = maxRunningThreads(first)
  let niceness = first
  let pids: number[] = []
  let measurements = 0
  let lastMs = nowMs()
  let used = new Map<number, number>()
  let counts: number[] = []

  return {
    isSlowed: () => niceness > first,
    measure() {
      const atMs = nowMs()
      if (measurements++ % SCAN_INTERVAL === 0) pids = findDescendants(pid)
      const usedNow = new Map(pids.map((one) => [one, usedMsOf(one)]))
      // Of each process: the sum of all would fall when one ends.
      const usedMs = usedNow.entries().reduce((sum, [one, ms]) => sum + Math.max(0, ms - (used.get(one) ?? 0)), 0)
      const isBusy = niceness > first || usedMs >= MIN_USE * (atMs - lastMs)
      if (isBusy) pids = findDescendants(pid)
      const threads = isBusy ? pids.flatMap(threadsOf) : []
      const now = threads.filter(({ isRunning }) => isRunning).length
      counts = [...counts.slice(1 - COUNTS), now]
      const running = counts.toSorted((a, b) => b - a)[1] ?? 0
      lastMs = atMs
      used = usedNow
      niceness = Math.max(niceness, nicenessFor(running, first))
      // Later threads inherit the niceness, but as root, Chromium gives some of its threads another one.
      if (niceness > first) for (const one of threads) if (one.niceness < niceness) slowDown(one.tid, niceness)
      return running <= maxRunning
    }
  }
}

/** The threads of a browser that may run at once. */
export const maxRunningThreads = (first: number): number =>
  Math.max(MIN_OF_MAX_RUNNING, Math.floor(MAX_RUNNING * LEVEL ** (first - USUAL_NICENESS)))

/** The lowest niceness at which so many threads weigh no more than they may. */
export function nicenessFor(running: number, first: number): number {
  if (running <= MAX_WEIGHT) return first
  return Math.min(MAX_NICENESS, first + Math.ceil(Math.log(MAX_WEIGHT / running) / Math.log(LEVEL)))
}

/** The fields of `stat` after the name, which may contain anything (proc(5)). */
function statOf(folder: string): string[] {
  try {
    const stat = readFileSync(`${folder}/stat`, 'latin1')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  } catch {
    return [] // It has ended.
  }
}

/** The processor time of all threads of a process, also of ended ones. */
function usedMsOf(pid: number): number {
  const fields = statOf(`/proc/${pid}`)
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) * TICK_MS
}

interface Thread {
  tid: number
  /** Whether it runs or waits for a processor. */
  isRunning: boolean
  niceness: number
}

function threadsOf(pid: number): Thread[] {
  return listSync(`/proc/${pid}/task`).flatMap((name) => {
    const fields = statOf(`/proc/${pid}/task/${name}`)
    return fields.length === 0
      ? []
      : [{ tid: Number(name), isRunning: fields[0] === 'R', niceness: Number(fields[16]) }]
  })
}

function slowDown(tid: number, niceness: number): void {
  try {
    // On Linux, niceness is an attribute of threads.
    setPriority(tid, niceness)
  } catch {
    // It has ended.
  }
}
