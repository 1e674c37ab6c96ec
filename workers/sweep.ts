import type { Worker } from './worker.ts'

/**
 * Finds work that a crash or a lost queue left behind. Runs every minute. Retried only for the case
 * that its process dies.
 */
export const sweep: Worker<'sweep'> = {
  concurrency: 1,
  accountConcurrency: 1,
  attempts: 3,
  backoffMs: [20_000],
  timeoutMs: 300_000,
  async run({ signal }, { sweeper }) {
    await sweeper.sweep(signal)
  }
}
