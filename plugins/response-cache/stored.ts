import type { FastifyContextConfig, FastifyInstance } from 'fastify'
import type { KeyCaller } from '../../services/auth/key-cache.ts'
import type { CountedKey } from '../../services/auth/index.ts'
import { createStoredEntry, type CachedResponse, type StoredResponse } from './entries.ts'

/** What the caller of a stored response may read, and the epochs of the account. */
export type StoredReader = Pick<KeyCaller, 'accountId' | 'projectIds'> & { keyEpoch: number; contentEpoch: number }

/**
 * Finds the stored response of a route whose path ends with a parameter, for requests without a query.
 * Resolves to null where the handler has to respond.
 */
export type FindStored = (reader: StoredReader, parameter: string) => Promise<StoredResponse | null>

declare module 'fastify' {
  interface FastifyContextConfig {
    findStored?: FindStored
  }
}

/** A path of a route with stored responses. */
export interface StoredRoute {
  routeConfig: FastifyContextConfig
  find: (counted: CountedKey) => Promise<CachedResponse | null>
}

export interface StoredRoutes {
  match: (url: string) => StoredRoute | null
}

/** Other values are decoded and validated by the router. */
const PLAIN_PARAMETER = /^[\w-]{1,200}$/

/** Collects the routes with stored responses as they are registered. */
export function createStoredRoutes(app: FastifyInstance): StoredRoutes {
  /** By their paths, up to the parameter. */
  const routes = new Map<string, FastifyContextConfig & { findStored: FindStored }>()
  /** Paths that the router prefers to a parameter. */
  const fixedPaths = new Set<string>()

  app.addHook('onRoute', ({ url, method, config }) => {
    if (!url.includes(':')) fixedPaths.add(url)
    if (config?.findStored === undefined || method !== 'GET') return
    const parameter = /:\w+$/.exec(url)
    if (parameter === null || url.indexOf(':') !== parameter.index) {
      throw new Error(`The route ${url} has stored responses, but it does not end with its only parameter.`)
    }
    routes.set(url.slice(0, parameter.index), Object.assign({ findStored: config.findStored, url, method }, config))
  })

  return {
    match(url) {
      const start = url.lastIndexOf('/') + 1
      const routeConfig = routes.get(url.slice(0, start))
      const parameter = url.slice(start)
      if (routeConfig === undefined || !PLAIN_PARAMETER.test(parameter) || fixedPaths.has(url)) return null
      return {
        routeConfig,
        async find({ loaded: { caller }, result: { keyEpoch, contentEpoch } }) {
          const { accountId, projectIds } = caller
          const found = await routeConfig.findStored({ accountId, projectIds, keyEpoch, contentEpoch }, parameter)
          return found === null ? null : createStoredEntry(found, { epoch: contentEpoch, routeConfig })
        }
      }
    }
  }
}
