import type { Worker } from './worker.ts'

/**
 * Looks at a published page. Few at once, because a browser takes a processor and much memory; how
 * often a check itself is tried is kept with it.
 */
export const runVisualCheck: Worker<'run-visual-check'> = {
  concurrency: 2,
  attempts: 3,
  backoffMs: [1000, 10_000],
  timeoutMs: 90_000,
  async run({ payload, signal }, { visualChecks }) {
    await visualChecks.run(payload.accountId, payload.checkId, signal)
  }
}
