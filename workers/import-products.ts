import type { Worker } from './worker.ts'

/**
 * Works an import off. What is committed stays committed, so whoever is broken off goes on where it
 * was; the sweeper sees to it.
 */
export const importProducts: Worker<'import-products'> = {
  concurrency: 2,
  attempts: 5,
  backoffMs: [1000, 10_000, 60_000],
  timeoutMs: 3_600_000,
  async run({ payload, signal }, { imports }) {
    await imports.run(payload.accountId, payload.importId, signal)
  }
}
