import type { FastifyRequest } from 'fastify'
import type { Feature } from '../schemas/account.ts'
import type { Scope } from '../schemas/api-key.ts'
import type { RevisionAuthor } from '../schemas/blog-revision.ts'

/** Access rules of routes. A key needs the scope, or one of the alternatives; a session needs none. */
export const keyAccess = (scope: Scope, feature: Feature, alternatives: Scope[] = []) =>
  ({ kind: 'key', scope, feature, alternatives }) as const
export const sessionAccess = { kind: 'session' } as const
/** For the session token of a user, or an API key of the whole account with the scope. */
export const webhookAccess = (scope: Scope) => ({ kind: 'session', feature: 'webhooks', scope }) as const
/** For the session token of a user, or an API key of the whole account with the scope. */
export const auditAccess = { kind: 'session', scope: 'audit:read' } as const
export const adminAccess = { kind: 'session', admin: true } as const

/**
 * The account of the caller, and the projects that its API key is restricted to; null: all. The
 * epochs are the account's, read when the request was authenticated. For a session they are
 * unknown (NaN), so nothing is cached.
 */
export function getReader({ caller, auth }: FastifyRequest): {
  accountId: string
  projectIds: string[] | null
  keyEpoch: number
  contentEpoch: number
} {
  if (caller.kind === 'key') {
    const { keyEpoch, contentEpoch } = auth!.rateLimit
    return { accountId: caller.accountId, projectIds: caller.projectIds, keyEpoch, contentEpoch }
  }
  if (caller.kind === 'session') {
    return { accountId: caller.accountId, projectIds: null, keyEpoch: Number.NaN, contentEpoch: Number.NaN }
  }
  throw new Error('getReader requires a route with keyAccess.')
}

/** The API key or the user, as the author of revisions. */
function getAuthor({ caller }: FastifyRequest): RevisionAuthor | null {
  if (caller.kind === 'key') return { type: 'key', id: caller.keyId, name: caller.name }
  return caller.kind === 'session' ? { type: 'user', id: caller.userId, name: null } : null
}

/** The reader of a request that changes blogs, with the author of the change. */
export const getWriter = (request: FastifyRequest) => ({ ...getReader(request), savedBy: getAuthor(request) })

/** The same for an administrator, who may change the blogs of every account. */
export const getAdminWriter = (request: FastifyRequest, accountId: string) => ({
  accountId,
  projectIds: null,
  savedBy: getAuthor(request)
})

/** The account of the signed-in user, or of the API key. */
export function getAccountId({ caller }: FastifyRequest): string {
  if (caller.kind !== 'anonymous') return caller.accountId
  throw new Error('getAccountId requires a route with sessionAccess.')
}
