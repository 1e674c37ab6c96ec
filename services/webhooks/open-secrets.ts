import type { WebhookRecord } from '../../ports/store/port.ts'
import type { SecretCipher } from './seal.ts'
import { secretsForAttempts } from './secrets.ts'
import { toSigningSecret, type SigningSecret } from './sign.ts'

export type DecryptedSecrets = ReturnType<typeof createDecryptedSecrets>

/**
 * The secrets of one webhook in the clear, each opened once. To be kept no longer than one piece of
 * work.
 */
export function createDecryptedSecrets(seal: SecretCipher) {
  const opened = new Map<string, SigningSecret>()

  return {
    /** Those that are good now, in the order in which they are tried. */
    forAttempts(webhook: WebhookRecord): SigningSecret[] {
      return secretsForAttempts(webhook).map(({ id, ciphertext }) => {
        const known = opened.get(id) ?? toSigningSecret(id, seal.decrypt(webhook.id, ciphertext))
        opened.set(id, known)
        return known
      })
    }
  }
}
