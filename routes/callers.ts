import type { FastifyRequest } from 'fastify'
import type { Feature } from '../schemas/account.ts'
import type { Scope } from '../schemas/api-key.ts'

/** The routes' words for who may call: a key with this scope, of an account with this feature. */
export const keyAccess = (scope: Scope, feature: Feature) => ({ kind: 'key', scope, feature }) as const
export const sessionAccess = { kind: 'session' } as const
export const webhookAccess = { kind: 'session', feature: 'webhooks' } as const
export const adminAccess = { kind: 'session', admin: true } as const

/**
 * Whose blogs and products the request may see: the key's account, within the projects that the key
 * is confined to.
 */
export function readerOf({ caller }: FastifyRequest): { accountId: string; projectIds: string[] | null } {
  if (caller.kind === 'key') return { accountId: caller.accountId, projectIds: caller.projectIds }
  throw new Error('A route for keys was reached without one.')
}

/** The account of the signed-in person. */
export function accountOf({ caller }: FastifyRequest): string {
  if (caller.kind === 'session') return caller.accountId
  throw new Error('A route for sessions was reached without one.')
}

/**
 * The versions that If-Match names (`"v3"`, `"v3-…"`; RFC 9110, section 13.1.1), or null where any
 * will do; a weak tag, and one that is none of ours, matches nothing.
 */
export function versionsOf(ifMatch: string | undefined): number[] | null {
  if (ifMatch === undefined || ifMatch.trim() === '*') return null
  return ifMatch.split(',').flatMap((tag) => {
    const version = /^"v(\d+)(?:-[\w-]*)?"$/.exec(tag.trim())?.[1]
    return version === undefined ? [] : [Number(version)]
  })
}
