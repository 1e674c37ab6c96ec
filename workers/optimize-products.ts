import type { Worker } from './worker.ts'

/** Generates the texts of a project's products. Low concurrency, because rules are CPU-bound. */
export const optimizeProducts: Worker<'optimize-products'> = {
  concurrency: 2,
  accountConcurrency: 1,
  attempts: 5,
  backoffMs: [1000, 30_000],
  timeoutMs: 3_600_000,
  async run({ payload, signal, isSliceOver }, { optimizer }) {
    return await optimizer.optimizeSlice(payload, signal, isSliceOver)
  }
}
