import type { FastifyRequest } from 'fastify'
import type { Feature } from '../schemas/account.ts'
import type { Scope } from '../schemas/api-key.ts'

/** Access rules of routes. */
export const keyAccess = (scope: Scope, feature: Feature) => ({ kind: 'key', scope, feature }) as const
export const sessionAccess = { kind: 'session' } as const
export const webhookAccess = { kind: 'session', feature: 'webhooks' } as const
export const adminAccess = { kind: 'session', admin: true } as const

/** The account of the API key, and the projects that the key is restricted to. */
export function getReader({ caller }: FastifyRequest): { accountId: string; projectIds: string[] | null } {
  if (caller.kind === 'key') return { accountId: caller.accountId, projectIds: caller.projectIds }
  throw new Error('getReader requires a route with keyAccess.')
}

/** The account of the signed-in user. */
export function getAccountId({ caller }: FastifyRequest): string {
  if (caller.kind === 'session') return caller.accountId
  throw new Error('getAccountId requires a route with sessionAccess.')
}
