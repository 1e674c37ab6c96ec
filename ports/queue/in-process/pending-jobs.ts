/** A pending job. The payload is JSON text, so that later changes of the object have no effect. */
export interface PendingJob {
  payload: string
  attempt: number
  key?: string
  requestId: string | null
}

/** The pending jobs of one name: due ones in order, and delayed ones. */
export interface PendingJobs {
  /** Whether a job of this key is pending, due or delayed. */
  has: (key: string) => boolean
  /** Appends a job to the due ones, at once or after `delayMs`. */
  add: (job: PendingJob, delayMs: number) => void
  /** Removes and returns the next due job. */
  take: () => PendingJob | undefined
  dueCount: () => number
  /** How long the first due job has been due; 0 if there is none. */
  oldestMs: () => number
  count: () => number
  /** Drops all jobs and their timers. */
  clear: () => void
}

interface Node {
  job: PendingJob
  dueAt: number
  next: Node | undefined
}

/**
 * Creates an empty list. `onDue` is called when a job has become due. A linked list, so that taking
 * the first of many jobs costs no more than taking the first of few.
 */
export function createPendingJobs(
  startTimer: (ms: number, run: () => void) => () => void,
  onDue: () => void
): PendingJobs {
  const timers = new Set<() => void>()
  const keys = new Map<string, number>()
  let first: Node | undefined
  let last: Node | undefined
  let length = 0

  function append(job: PendingJob): void {
    const node: Node = { job, dueAt: performance.now(), next: undefined }
    if (last === undefined) first = node
    else last.next = node
    last = node
    length += 1
    onDue()
  }

  // A job that waits for its next attempt may have the same key as a job that was added meanwhile,
  // so keys are counted.
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
      const node = first
      if (node === undefined) return undefined
      first = node.next
      if (first === undefined) last = undefined
      length -= 1
      countKey(node.job.key, -1)
      return node.job
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
