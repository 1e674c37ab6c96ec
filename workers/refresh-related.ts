import type { Worker } from './worker.ts'

/** Works out the related blogs of an account; one at a time, because it keeps a processor busy. */
export const refreshRelated: Worker<'refresh-related'> = {
  concurrency: 1,
  attempts: 5,
  backoffMs: [1000, 10_000],
  timeoutMs: 120_000,
  async run({ payload }, { relatedBlogs }) {
    await relatedBlogs.refresh(payload.accountId)
  }
}
