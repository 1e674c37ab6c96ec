import type { Worker } from './worker.ts'

/** Looks whether products' pictures are there. */
export const checkProductImages: Worker<'check-product-images'> = {
  concurrency: 4,
  attempts: 2,
  backoffMs: [10_000],
  timeoutMs: 3_600_000,
  async run({ payload, signal }, { productPictures }) {
    await productPictures.check(payload, signal)
  }
}
