import type { Worker } from './worker.ts'

/**
 * Finds what a crash or a lost queue left behind; the next sweep comes in a minute anyway. It is
 * tried again for the sake of a process that ends in the middle, which is nothing to give a job up
 * for.
 */
export const sweep: Worker<'sweep'> = {
  concurrency: 1,
  attempts: 3,
  backoffMs: [20_000],
  timeoutMs: 300_000,
  async run({ signal }, { sweeper }) {
    await sweeper.sweep(signal)
  }
}
