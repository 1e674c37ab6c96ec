import { performance } from 'node:perf_hooks'

/** How often the process is observed. */
const PERIOD_MS = 25
/** The share of a period in which a process with time for a step is busy at most. */
const MAX_UTILIZATION = 0.5
/** Steps of one period take so long together, and at most the last one longer. */
const MAX_STEPS_MS = 5

/**
 * Runs steps one after another while the process has little to do. An error of a step ends the process. Returns a
 * function that stops before the next step.
 */
export function runWhenIdle(steps: Iterable<() => void>): () => void {
  const waiting = Iterator.from(steps)
  let seen = performance.eventLoopUtilization()
  const timer = setInterval(() => {
    if (performance.eventLoopUtilization(seen).utilization <= MAX_UTILIZATION) runSome()
    seen = performance.eventLoopUtilization()
  }, PERIOD_MS)

  function runSome(): void {
    const start = performance.now()
    do {
      const { value: step, done } = waiting.next()
      if (done === true) return stop()
      step()
    } while (performance.now() - start < MAX_STEPS_MS)
  }

  function stop(): void {
    clearInterval(timer)
  }

  timer.unref()
  return stop
}
