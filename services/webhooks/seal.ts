import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

/** Encrypts the signing secrets of webhooks, which must be read back to sign with them. */
export interface SecretCipher {
  encrypt: (webhookId: string, text: string) => string
  /**
   * The text again. Throws when the sealed text was changed, belongs to another webhook or was
   * sealed under none of the keys.
   */
  decrypt: (webhookId: string, sealed: string) => string
  /**
   * Whether it is sealed under the key that seals now; false for one that only an older key opens,
   * or none.
   */
  isCurrent: (webhookId: string, sealed: string) => boolean
}

const VERSION = 'v1'
const NONCE_BYTES = 12
const TAG_BYTES = 16

/**
 * AES-256-GCM (NIST SP 800-38D) with a random 96-bit nonce for each text and the webhook's id as
 * additional data. Keys are derived from the 32 bytes of
 * each SECRETS_KEY by HKDF-SHA256 (RFC 5869) under a label, so that what else SECRETS_KEY is used
 * for shares no key with it.
 * A sealed text is `v1.<nonce>.<ciphertext and tag>` in base64url. The first of the keys seals, all
 * of them open, so that keys can be changed
 * while the service runs. Throws a RangeError when there is no key.
 */
export function createSecretCipher(secretsKeys: readonly Buffer[]): SecretCipher {
  const keys = secretsKeys.map((secret) =>
    Buffer.from(hkdfSync('sha256', secret, '', 'webhook signing secrets v1', 32))
  )
  const [current] = keys
  if (current === undefined) throw new RangeError('There is no key to seal with')

  return {
    encrypt(webhookId, text) {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', current, nonce).setAAD(Buffer.from(webhookId))
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
      return `${VERSION}.${nonce.toString('base64url')}.${sealed.toString('base64url')}`
    },
    decrypt(webhookId, sealed) {
      let failure: unknown
      for (const key of keys) {
        try {
          return opened(key, webhookId, sealed)
        } catch (error) {
          failure ??= error // What the key that seals now says of it tells most.
        }
      }
      throw failure
    },
    isCurrent(webhookId, sealed) {
      try {
        opened(current, webhookId, sealed)
        return true
      } catch {
        return false
      }
    }
  }
}

function opened(key: Buffer, webhookId: string, sealed: string): string {
  const [version, nonce = '', text = ''] = sealed.split('.')
  if (version !== VERSION) throw new Error('A signing secret is sealed in a form that is not known here')
  const bytes = Buffer.from(text, 'base64url')
  const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(nonce, 'base64url'), {
    authTagLength: TAG_BYTES
  }).setAAD(Buffer.from(webhookId))
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES))
  return decipher.update(bytes.subarray(0, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
}
