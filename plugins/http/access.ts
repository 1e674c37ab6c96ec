import { problem } from '../../errors.ts'
import type { Feature } from '../../schemas/account.ts'
import type { Scope } from '../../schemas/api-key.ts'
import type { Caller } from '../../services/auth/index.ts'

/**
 * What a route asks of its caller. `health` is `public` and never used up, so that a busy neighbor
 * cannot make a probe fail.
 */
export type Access =
  | { kind: 'public' }
  | { kind: 'health' }
  | { kind: 'session'; admin?: boolean; feature?: Feature }
  | { kind: 'key'; scope: Scope; feature: Feature }

/**
 * Throws the 403 that the caller earns: the scope, the feature or the role that is missing is
 * named.
 */
export function assertAccess(caller: Caller, access: Access): void {
  if (access.kind === 'key' && caller.kind === 'key') {
    const { scope, feature } = access
    if (!caller.scopes.includes(scope)) {
      throw problem('scope_missing', `The key lacks the scope ${scope}.`, { members: { scope } })
    }
    if (!caller.features.includes(feature)) {
      throw problem('feature_not_in_plan', `The account lacks the feature ${feature}.`, { members: { feature } })
    }
  }
  if (
    access.kind === 'session' &&
    access.feature !== undefined &&
    caller.kind === 'session' &&
    !caller.features.includes(access.feature)
  ) {
    throw problem('feature_not_in_plan', `The account lacks the feature ${access.feature}.`, {
      members: { feature: access.feature }
    })
  }
  if (access.kind === 'session' && access.admin === true && !(caller.kind === 'session' && caller.admin)) {
    throw problem('admin_only', 'The session token lacks the role admin.')
  }
}
