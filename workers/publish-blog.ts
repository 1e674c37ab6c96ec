import type { Worker } from './worker.ts'

/** Publishes a scheduled blog at its time. */
export const publishBlog: Worker<'publish-blog'> = {
  concurrency: 4,
  accountConcurrency: 2,
  attempts: 5,
  backoffMs: [1000, 5000, 30_000],
  timeoutMs: 30_000,
  async run({ payload }, { blogs }) {
    await blogs.publishDue(payload.accountId, payload.blogId)
  }
}
