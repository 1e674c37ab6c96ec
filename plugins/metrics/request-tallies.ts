import type { FastifyReply, FastifyRequest } from 'fastify'
import { routePattern } from '../http/route-pattern.ts'
import type { AuthContext } from '../../services/auth/index.ts'

/** Upper bounds of the histogram of answer times, in seconds. */
export const BOUNDS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30] as const

/**
 * What was answered by one method of one route. `buckets[i]` are answers that took at most
 * `BOUNDS_SECONDS[i]` and longer than the bound before; the last one has the rest.
 */
export interface RouteTally {
  route: string
  method: string
  statuses: Map<number, number>
  buckets: Float64Array
  seconds: number
}

/** What came of requests at the gate, by the limit that they count against. */
export interface AdmissionTally {
  admitted: number
  refused: number
  unauthenticated: number
}

export type RequestTallies = ReturnType<typeof createRequestTallies>

/**
 * What requests are told apart by where they met no route: an address alone would be a number
 * without end.
 */
const NO_ROUTE = 'none'

/**
 * Counts answers. It runs after every one of them, so it raises numbers where they are and puts
 * nothing together.
 */
export function createRequestTallies() {
  const byRoute = new Map<object, Record<string, RouteTally>>()
  const unrouted: Record<string, RouteTally> = {}
  const admissions = new Map<string, AdmissionTally>()

  function tallyOf(request: FastifyRequest): RouteTally {
    const { method, routeConfig } = request
    const methods = byRoute.get(routeConfig)
    const known = methods?.[method]
    if (known !== undefined) return known
    const route = routePattern(request)
    if (route === null) return (unrouted[method] ??= createTally(NO_ROUTE, method))
    const tally = createTally(route, method)
    byRoute.set(routeConfig, { ...methods, [method]: tally })
    return tally
  }

  function countAdmission({ policy, error }: AuthContext): void {
    let tally = admissions.get(policy)
    if (tally === undefined) admissions.set(policy, (tally = { admitted: 0, refused: 0, unauthenticated: 0 }))
    tally[error === null ? 'admitted' : error.code === 'rate_limited' ? 'refused' : 'unauthenticated'] += 1
  }

  return {
    admissions: admissions as ReadonlyMap<string, AdmissionTally>,

    count(request: FastifyRequest, reply: FastifyReply): void {
      const tally = tallyOf(request)
      const seconds = reply.elapsedTime / 1000
      tally.statuses.set(reply.statusCode, (tally.statuses.get(reply.statusCode) ?? 0) + 1)
      tally.buckets[bucketOf(seconds)]! += 1
      tally.seconds += seconds
      // A probe is admitted always and costs nothing; it would only hide the others.
      if (request.auth !== null && request.auth !== undefined && request.routeConfig?.access?.kind !== 'health') {
        countAdmission(request.auth)
      }
    },

    /**
     * Counts what was answered before it could become a request of a route: a broken message, an
     * address that cannot be decoded.
     */
    countBroken(status: number): void {
      const { statuses } = (unrouted[NO_ROUTE] ??= createTally(NO_ROUTE, NO_ROUTE))
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
    },

    routes: (): RouteTally[] => [
      ...[...byRoute.values()].flatMap((methods) => Object.values(methods)),
      ...Object.values(unrouted)
    ]
  }
}

const createTally = (route: string, method: string): RouteTally => ({
  route,
  method,
  statuses: new Map(),
  buckets: new Float64Array(BOUNDS_SECONDS.length + 1),
  seconds: 0
})

function bucketOf(seconds: number): number {
  let index = 0
  while (index < BOUNDS_SECONDS.length && seconds > BOUNDS_SECONDS[index]!) index += 1
  return index
}
