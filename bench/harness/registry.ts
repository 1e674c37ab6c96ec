import type { Bench } from './bench.ts'

/** The benchmarks by name. A module is loaded when its benchmark runs, since some load large libraries. */
export const BENCHES: Record<string, () => Promise<{ bench: Bench }>> = {
  growth: async () => await import('../growth/index.ts'),
  images: async () => await import('../images.ts'),
  'import-blogs': async () => await import('../import-blogs/index.ts'),
  limits: async () => await import('../limits.ts')
}
