import type { Worker } from './worker.ts'

/** Computes the related blogs of an account. One account at a time, because this is CPU-bound. */
export const refreshRelated: Worker<'refresh-related'> = {
  concurrency: 1,
  attempts: 5,
  backoffMs: [1000, 10_000],
  timeoutMs: 120_000,
  async run({ payload }, { relatedBlogs }) {
    await relatedBlogs.refresh(payload.accountId)
  }
}
