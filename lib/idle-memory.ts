import { performance } from 'node:perf_hooks'
import v8 from 'node:v8'
import vm from 'node:vm'

/** How often the process is observed. */
const PERIOD_MS = 10_000
/** The share of a period in which an idle process is busy at most. */
const MAX_UTILIZATION = 0.02
/** A collection of a heap of this size takes less than 50 ms, which a request may have to wait for. */
const MAX_HEAP_BYTES = 64 * 1024 * 1024
/** The heap and the buffers outside of it must have grown by so much since the last collection. */
const MIN_GROWTH_BYTES = 4 * 1024 * 1024

export interface IdleMemoryOptions {
  periodMs?: number
  maxHeapBytes?: number
  onCollect?: () => void
}

type CollectGarbage = (options: { type: 'major'; execution: 'sync'; flavor: 'last-resort' }) => void

/** Unlike `process.memoryUsage()`, opens no file: the process may have as many open as it may have. */
function readMemory(): { heap: number; all: number } {
  const { total_heap_size: heap, external_memory: external } = v8.getHeapStatistics()
  return { heap, all: heap + external }
}

/** The function that `--expose-gc` adds to the global objects that are created while it is set. */
function exposedCollector(): CollectGarbage {
  v8.setFlagsFromString('--expose-gc')
  const collect = vm.runInNewContext('gc') as CollectGarbage
  v8.setFlagsFromString('--no-expose-gc')
  return collect
}

/**
 * Returns the memory that the start, or a busy time, has left behind to the system once the process is idle: V8
 * collects garbage only while something is allocated, so that an idle process keeps it until its next busy time. At
 * most one collection follows each busy time. Returns a function that ends it.
 */
export function collectWhenIdle(options: IdleMemoryOptions = {}): () => void {
  const { periodMs = PERIOD_MS, maxHeapBytes = MAX_HEAP_BYTES, onCollect } = options
  const collect = exposedCollector()
  let seen = performance.eventLoopUtilization()
  let remainingBytes = 0
  const timer = setInterval(() => {
    const { utilization } = performance.eventLoopUtilization(seen)
    seen = performance.eventLoopUtilization()
    const { heap, all } = readMemory()
    // After a collection, memory may shrink further: what grows later is measured from there.
    remainingBytes = Math.min(remainingBytes, all)
    if (utilization > MAX_UTILIZATION || heap > maxHeapBytes) return
    if (all < remainingBytes + MIN_GROWTH_BYTES) return
    collect({ type: 'major', execution: 'sync', flavor: 'last-resort' })
    remainingBytes = readMemory().all
    seen = performance.eventLoopUtilization()
    onCollect?.()
  }, periodMs)
  timer.unref()
  return () => {
    clearInterval(timer)
  }
}
