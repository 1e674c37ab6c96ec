import type { Bench } from './bench.ts'

/** The benchmarks by name. A module is loaded when its benchmark runs, since some load large libraries. */
export const BENCHES: Record<string, () => Promise<{ bench: Bench }>> = {
  fairness: async () => await import('../fairness.ts'),
  growth: async () => await import('../growth/index.ts'),
  images: async () => await import('../images.ts'),
  'import-blogs': async () => await import('../import-blogs/index.ts'),
  'import-products': async () => await import('../import-products.ts'),
  isolation: async () => await import('../isolation/index.ts'),
  limits: async () => await import('../limits.ts'),
  'limits-redis': async () => await import('../limits-redis.ts'),
  lists: async () => await import('../lists.ts'),
  optimize: async () => await import('../optimize.ts'),
  read: async () => await import('../read/index.ts'),
  'totals-mongodb': async () => await import('../totals-mongodb.ts'),
  webhooks: async () => await import('../webhooks/index.ts')
}
