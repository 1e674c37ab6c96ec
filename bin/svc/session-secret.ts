import { randomBytes } from 'node:crypto'
import { keptSecret } from '../../plugins/secrets.ts'
import type { Config } from '../../schemas/config.ts'

/**
 * The secret that session tokens are signed with here; with a key set alone, one for this process
 * only.
 */
export function sessionSecret(config: Config): string {
  if (config.SESSION_SECRET !== undefined) return config.SESSION_SECRET
  return config.SESSION_JWKS_URL === undefined
    ? keptSecret(config.DATA_DIR, 'session')
    : randomBytes(32).toString('base64')
}
