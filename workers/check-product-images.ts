import type { Worker } from './worker.ts'

/** Checks whether product images can be loaded. */
export const checkProductImages: Worker<'check-product-images'> = {
  concurrency: 4,
  attempts: 2,
  backoffMs: [10_000],
  timeoutMs: 3_600_000,
  async run({ payload, signal }, { productPictures }) {
    await productPictures.check(payload, signal)
  }
}
