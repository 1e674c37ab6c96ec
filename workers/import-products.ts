import type { Worker } from './worker.ts'

/**
 * Runs an import. Committed rows stay committed: the next run continues after them. The sweeper adds
 * the job again if it was lost.
 */
export const importProducts: Worker<'import-products'> = {
  concurrency: 4,
  accountConcurrency: 1,
  attempts: 5,
  backoffMs: [1000, 10_000, 60_000],
  timeoutMs: 3_600_000,
  async run({ payload, signal, isSliceOver }, { imports }) {
    return await imports.run(payload.accountId, payload.importId, { signal, isSliceOver })
  }
}
