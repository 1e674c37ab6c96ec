import type { Worker } from './worker.ts'

/**
 * Gathers products with new texts into events; one project at a time, so that no two gather the
 * same ones.
 */
export const publishProductEvents: Worker<'publish-product-events'> = {
  concurrency: 1,
  attempts: 5,
  backoffMs: [1000, 5000, 30_000],
  timeoutMs: 120_000,
  async run({ payload, signal }, { productEvents }) {
    await productEvents.publish(payload, signal)
  }
}
