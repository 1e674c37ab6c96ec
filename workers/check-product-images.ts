import type { Worker } from './worker.ts'

/**
 * Checks whether product images can be loaded. High concurrency, because runs mostly wait for other people's servers:
 * a few accounts whose servers do not respond must not occupy all places.
 */
export const checkProductImages: Worker<'check-product-images'> = {
  concurrency: 40,
  accountConcurrency: 2,
  attempts: 2,
  backoffMs: [10_000],
  timeoutMs: 3_600_000,
  async run({ payload, signal, isSliceOver }, { productPictures }) {
    return await productPictures.check(payload, signal, isSliceOver)
  }
}
