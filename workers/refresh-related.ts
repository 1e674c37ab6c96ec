import type { Worker } from './worker.ts'

/** Computes the related blogs of an account. Low concurrency, because this is CPU-bound. */
export const refreshRelated: Worker<'refresh-related'> = {
  concurrency: 2,
  accountConcurrency: 1,
  attempts: 5,
  backoffMs: [1000, 10_000],
  timeoutMs: 120_000,
  async run({ payload, isSliceOver }, { relatedBlogs }) {
    return await relatedBlogs.refresh(payload.accountId, isSliceOver)
  }
}
