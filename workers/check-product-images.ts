import type { Worker } from './worker.ts'

/** Checks whether product images can be loaded. Runs mostly wait for other people's servers. */
export const checkProductImages: Worker<'check-product-images'> = {
  concurrency: 8,
  accountConcurrency: 2,
  attempts: 2,
  backoffMs: [10_000],
  timeoutMs: 3_600_000,
  async run({ payload, signal, isSliceOver }, { productPictures }) {
    return await productPictures.check(payload, signal, isSliceOver)
  }
}
