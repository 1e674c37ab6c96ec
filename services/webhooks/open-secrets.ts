import type { WebhookRecord } from '../../ports/store/port.ts'
import type { Seal } from './seal.ts'
import { secretsToTry } from './secrets.ts'
import { openSecret, type OpenSecret } from './sign.ts'

export type OpenSecrets = ReturnType<typeof createOpenSecrets>

/**
 * The secrets of one webhook in the clear, each opened once. To be kept no longer than one piece of
 * work.
 */
export function createOpenSecrets(seal: Seal) {
  const opened = new Map<string, OpenSecret>()

  return {
    /** Those that are good now, in the order in which they are tried. */
    toTry(webhook: WebhookRecord): OpenSecret[] {
      return secretsToTry(webhook).map(({ id, ciphertext }) => {
        const known = opened.get(id) ?? openSecret(id, seal.open(webhook.id, ciphertext))
        opened.set(id, known)
        return known
      })
    }
  }
}
