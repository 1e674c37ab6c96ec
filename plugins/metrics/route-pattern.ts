import type { FastifyRequest } from 'fastify'

/** The route pattern of a request without a trailing slash; null for an unknown path. */
export function routePattern(request: FastifyRequest): string | null {
  // Fastify adds `url` to the config of each route. The config is undefined before the first hook.
  const url = request.is404 ? undefined : (request.routeConfig as { url?: string } | undefined)?.url
  if (url === undefined) return null
  return url.length > 1 && url.endsWith('/') ? url.slice(0, -1) : url
}
