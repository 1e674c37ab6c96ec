import type { FastifyInstance } from 'fastify'

/**
 * The URLs of this service, each with a slash at its end, below which webhooks, image checks and visual checks may open
 * pages over plain http: images of blogs, which the checked pages of websites show, and the sites of the demo. They
 * are public, change nothing, and need no credential. Only in the embedded profile, which has no public address at
 * first.
 */
export function listOwnPages({ config, publicUrl }: Pick<FastifyInstance, 'config' | 'publicUrl'>): string[] {
  if (config.MONGODB_URL !== undefined) return []
  // In the normalized form of the URLs that are compared with it.
  const base = new URL(publicUrl).href.replace(/\/$/, '')
  const images = `${base}/api/v1/blogs/images/`
  return config.DEMO_CONTENT === 'off' ? [images] : [images, `${base}/demo/`]
}
