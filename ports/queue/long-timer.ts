/**
 * The longest time that `setTimeout` takes; it treats anything longer as 1 ms (Node's documentation
 * of timers).
 */
const LONGEST_MS = 2 ** 31 - 1

/**
 * Calls `run` once, not before `ms` milliseconds have passed, however many they are, and returns
 * what cancels it.
 * A wait above `longestMs` is made of several; one that ended early, as timers do by a part of a
 * millisecond, is prolonged.
 */
export function startLongTimer(ms: number, run: () => void, longestMs = LONGEST_MS): () => void {
  const dueAt = performance.now() + ms
  const fire = (): void => {
    const leftMs = dueAt - performance.now()
    if (leftMs <= 0) run()
    else timer = setTimeout(fire, Math.min(Math.ceil(leftMs), longestMs))
  }
  let timer = setTimeout(fire, Math.min(ms, longestMs))
  return () => clearTimeout(timer)
}
