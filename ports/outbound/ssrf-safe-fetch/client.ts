import { createRequire } from 'node:module'
import type { Client } from 'undici'

const require = createRequire(import.meta.url)

/**
 * The parts of undici that its client needs, in the order in which they require each other. The index of the package
 * also loads pools, proxies, caches, fetch, web sockets and mocks, which takes twice as long and 8 MB more.
 */
const PARTS = [
  'undici/lib/core/util.js',
  'undici/lib/core/request.js',
  'undici/lib/core/connect.js',
  'undici/lib/dispatcher/parser-h1.js',
  'undici/lib/dispatcher/client-h1.js',
  'undici/lib/dispatcher/client-h2.js'
]
const CLIENT = 'undici/lib/dispatcher/client.js'

/** Loads the client of undici. Not at the start, which it would slow down. */
export const loadClient = (): typeof Client => require(CLIENT) as typeof Client

/** Functions that load the client in steps, for a process that has time before its first request to another server. */
export const clientLoadingSteps = (): (() => void)[] =>
  [...PARTS, CLIENT].map((part) => () => {
    require(part)
  })
