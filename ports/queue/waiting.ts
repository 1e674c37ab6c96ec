/**
 * A job that waits: its payload as JSON text, so that a worker sees what was added, whatever became
 * of the object since.
 */
export interface WaitingJob {
  payload: string
  attempt: number
  key?: string
  requestId: string | null
}

/** The jobs of one name that wait: some due, in order, and some for their time. */
export interface Waiting {
  /** True while a job of this key waits, due or not. */
  has: (key: string) => boolean
  /**
   * Adds a job at the end of those that are due, at once or after `delayMs` (then `due` is called).
   */
  add: (job: WaitingJob, delayMs: number) => void
  /** Takes the next one that is due. */
  take: () => WaitingJob | undefined
  dueCount: () => number
  /** For how many milliseconds the first one that is due has been due; 0 where none is. */
  oldestMs: () => number
  count: () => number
  /** Drops them all and their timers. */
  clear: () => void
}

interface Link {
  job: WaitingJob
  dueAt: number
  next: Link | undefined
}

/**
 * Makes an empty one; `due` is told when a job has become due. A linked list: taking the first of
 * many is as quick as of few.
 */
export function createWaiting(startTimer: (ms: number, run: () => void) => () => void, due: () => void): Waiting {
  const timers = new Set<() => void>()
  const keys = new Map<string, number>()
  let first: Link | undefined
  let last: Link | undefined
  let length = 0

  function append(job: WaitingJob): void {
    const link: Link = { job, dueAt: performance.now(), next: undefined }
    if (last === undefined) first = link
    else last.next = link
    last = link
    length += 1
    due()
  }

  // A job that waits for its next attempt may have the key of one that was added meanwhile, so keys
  // are counted.
  function countKey(key: string | undefined, change: 1 | -1): void {
    if (key === undefined) return
    const count = (keys.get(key) ?? 0) + change
    if (count === 0) keys.delete(key)
    else keys.set(key, count)
  }

  return {
    has: (key) => keys.has(key),
    add(job, delayMs) {
      countKey(job.key, 1)
      if (delayMs <= 0) return append(job)
      const cancel = startTimer(delayMs, () => {
        timers.delete(cancel)
        append(job)
      })
      timers.add(cancel)
    },
    take() {
      const link = first
      if (link === undefined) return undefined
      first = link.next
      if (first === undefined) last = undefined
      length -= 1
      countKey(link.job.key, -1)
      return link.job
    },
    dueCount: () => length,
    oldestMs: () => (first === undefined ? 0 : performance.now() - first.dueAt),
    count: () => length + timers.size,
    clear() {
      for (const cancel of timers) cancel()
      timers.clear()
      keys.clear()
      first = last = undefined
      length = 0
    }
  }
}
