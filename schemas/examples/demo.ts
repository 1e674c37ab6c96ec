/**
 * Records of the demo content (examples/demo). The examples of the API document refer to them, and the demo creates
 * them with these ids, so that every sample request works on a service with demo content.
 */
export const DEMO = {
  accountId: 'demo',
  projectId: 'harbor-coffee',
  blogId: '0198e6a1-7c3e-7d52-9f0a-3b1c5d7e9f11',
  slug: 'pour-over-same-every-morning',
  /** The file name and a digest of the image. */
  imageFilename: 'pour-over-87e4d031f733.webp',
  productId: '0198e6a3-4d2b-7c18-9a51-7e2f4b6c8d01',
  externalId: 'HC-quay-blend-250',
  importId: '0198e6a3-9c41-7f02-8b6d-1a3c5e7f9b22',
  apiKeyId: '0198e6a2-0b1d-7a64-8c2e-6f4a8b0c2d33',
  webhookId: '0198e6a4-1b2c-7d3e-8f40-5a6b7c8d9e01',
  deliveryId: '0198e6a4-3d4e-7f50-8b62-7c8d9e0f1a23',
  recoveryId: '0198e6a4-4e5f-7061-9c73-8d9e0f1a2b34',
  checkId: '0198e6b0-1f2a-7c44-8d3e-5a7b9c1d2e3f',
  /** The file name of the screenshot of the visual check. */
  screenshot: 'k3f9x2.webp'
} as const
