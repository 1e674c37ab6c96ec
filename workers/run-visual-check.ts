import type { Worker } from './worker.ts'

/**
 * Checks a published page in a browser. Low concurrency, because a browser needs much CPU and
 * memory. Attempts of a check are counted in its record.
 */
export const runVisualCheck: Worker<'run-visual-check'> = {
  concurrency: 2,
  accountConcurrency: 1,
  attempts: 3,
  backoffMs: [1000, 10_000],
  timeoutMs: 90_000,
  async run({ payload, signal }, { visualChecks }) {
    await visualChecks.run(payload.accountId, payload.checkId, signal)
  }
}
