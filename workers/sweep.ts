import type { Worker } from './worker.ts'

/** Finds what a crash or a lost queue left behind; the next sweep comes in a minute anyway, so it is not tried again. */
export const sweep: Worker<'sweep'> = {
  concurrency: 1,
  attempts: 1,
  backoffMs: [],
  timeoutMs: 300_000,
  async run ({ signal }, { sweeper }) { await sweeper.sweep(signal) }
}
