import type { FastifyInstance } from 'fastify'

export interface KnownRoute {
  pattern: RegExp
  methods: string[]
}

/**
 * Notes every route that is registered from here on, so that a wrong method can be told from a
 * wrong address.
 */
export function rememberRoutes(app: FastifyInstance): KnownRoute[] {
  const routes: KnownRoute[] = []
  app.addHook('onRoute', ({ url, method }) => {
    if (url !== '*' && url !== '/*') routes.push({ pattern: patternOf(url), methods: [method].flat() })
  })
  return routes
}

/**
 * The methods that some route takes at this path (`*`: at any), OPTIONS among them; empty when
 * there is no such path. A slash at the end makes no difference.
 */
export function allowedMethods(routes: KnownRoute[], path: string): string[] {
  const bare = path.replace(/(?<=.)\/$/, '')
  const methods = new Set(
    routes
      .filter(({ pattern }) => path === '*' || pattern.test(path) || pattern.test(bare))
      .flatMap((route) => route.methods)
  )
  return methods.size === 0 ? [] : [...methods.add('OPTIONS')].sort()
}

/** `/a/:id/*` as a regular expression; a parameter is one segment. */
function patternOf(url: string): RegExp {
  const segments = url.split('/').map((segment) => {
    if (segment === '*') return '.*'
    return segment.startsWith(':') ? '[^/]+' : segment.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  })
  return new RegExp(`^${segments.join('/')}$`)
}
