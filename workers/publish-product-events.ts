import type { Worker } from './worker.ts'

/**
 * Publishes events about products with new texts. One run of an account at a time, so that products
 * are not gathered twice.
 */
export const publishProductEvents: Worker<'publish-product-events'> = {
  concurrency: 4,
  accountConcurrency: 1,
  attempts: 5,
  backoffMs: [1000, 5000, 30_000],
  timeoutMs: 120_000,
  async run({ payload, signal, isSliceOver }, { productEvents }) {
    return await productEvents.publish(payload, signal, isSliceOver)
  }
}
