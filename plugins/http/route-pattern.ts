import type { FastifyRequest } from 'fastify'

/**
 * The pattern of the route that a request met, as it was written down and without a slash at the
 * end; null where it met none.
 */
export function routePattern(request: FastifyRequest): string | null {
  // The framework puts it into the route's own settings; those are empty before the first hook has
  // run.
  const url = request.is404 ? undefined : (request.routeConfig as { url?: string } | undefined)?.url
  if (url === undefined) return null
  return url.length > 1 && url.endsWith('/') ? url.slice(0, -1) : url
}
