import type { FastifyContextConfig } from 'fastify'

/** The pattern of a route without a trailing slash; null for the config of an unknown path. */
export function routePattern(routeConfig: FastifyContextConfig | undefined): string | null {
  // Fastify adds `url` to the config of each route. The config is undefined before the first hook.
  const url = (routeConfig as { url?: string } | undefined)?.url
  if (url === undefined) return null
  return url.length > 1 && url.endsWith('/') ? url.slice(0, -1) : url
}
