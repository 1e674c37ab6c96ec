import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import type { Store, WebhookRecord } from '../../ports/store/port.ts'

/** Encrypts signing secrets. They cannot be hashed: every attempt is signed with them. */
export interface SecretCipher {
  encrypt: (webhookId: string, text: string) => string
  /**
   * Throws when the ciphertext was changed, belongs to another webhook, or was encrypted with none
   * of the keys.
   */
  decrypt: (webhookId: string, ciphertext: string) => string
  /** Whether the current key decrypts it. False when only an older key does, or none. */
  isCurrent: (webhookId: string, ciphertext: string) => boolean
}

const VERSION = 'v1'
const NONCE_BYTES = 12
const TAG_BYTES = 16

/**
 * AES-256-GCM (NIST SP 800-38D) with a random 96-bit nonce for each text, and the webhook's id as
 * additional data. The keys are derived from the 32 bytes of each SECRETS_KEY by HKDF-SHA256
 * (RFC 5869) with a label, so that other uses of SECRETS_KEY share no key with this one.
 *
 * The result is `v1.<nonce>.<ciphertext and tag>` in base64url. The first key encrypts, all keys
 * decrypt: so keys can be replaced while the service runs. Throws a RangeError for an empty list.
 */
export function createSecretCipher(secretsKeys: readonly Buffer[]): SecretCipher {
  const keys = secretsKeys.map((secret) =>
    Buffer.from(hkdfSync('sha256', secret, '', 'webhook signing secrets v1', 32))
  )
  const [current] = keys
  if (current === undefined) throw new RangeError('At least one SECRETS_KEY is required')

  return {
    encrypt(webhookId, text) {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', current, nonce).setAAD(Buffer.from(webhookId))
      const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
      return `${VERSION}.${nonce.toString('base64url')}.${encrypted.toString('base64url')}`
    },
    decrypt(webhookId, ciphertext) {
      let failure: unknown
      for (const key of keys) {
        try {
          return decryptWith(key, webhookId, ciphertext)
        } catch (error) {
          failure ??= error // The error of the current key is the most useful one.
        }
      }
      throw failure
    },
    isCurrent(webhookId, ciphertext) {
      try {
        decryptWith(current, webhookId, ciphertext)
        return true
      } catch {
        return false
      }
    }
  }
}

function decryptWith(key: Buffer, webhookId: string, ciphertext: string): string {
  const [version, nonce = '', text = ''] = ciphertext.split('.')
  if (version !== VERSION) throw new Error('The format of an encrypted signing secret is unknown')
  const bytes = Buffer.from(text, 'base64url')
  const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(nonce, 'base64url'), {
    authTagLength: TAG_BYTES
  }).setAAD(Buffer.from(webhookId))
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES))
  return decipher.update(bytes.subarray(0, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
}

export interface KeyRotationResult {
  /** Webhooks that were checked. */
  webhooks: number
  /** Secrets that were re-encrypted with the current key. */
  reencrypted: number
  /** Secrets that none of the keys decrypts. They are left unchanged. */
  unreadable: number
}

const ACCOUNTS_PER_BATCH = 100

interface KeyRotationOptions {
  store: Store
  cipher: SecretCipher
  /** Called when all secrets have been re-encrypted: the current key is enough from then on. */
  onRotated: () => Promise<void>
}

/** Re-encrypts the signing secrets of all accounts after SECRETS_KEY was changed. */
export function createKeyRotation({ store, cipher, onRotated }: KeyRotationOptions) {
  const decryptOrNull = (id: string, ciphertext: string) => {
    try {
      return cipher.decrypt(id, ciphertext)
    } catch {
      return null
    }
  }

  /** Reads the webhook again when it was changed concurrently. */
  async function reencrypt({ accountId, id }: WebhookRecord): Promise<Omit<KeyRotationResult, 'webhooks'>> {
    while (true) {
      const webhook = await store.webhooks.find(accountId, id)
      const old = (webhook?.secrets ?? []).filter(({ ciphertext }) => !cipher.isCurrent(id, ciphertext))
      const texts = new Map(old.map(({ ciphertext }) => [ciphertext, decryptOrNull(id, ciphertext)]))
      const reencrypted = [...texts.values()].filter((text) => text !== null).length
      const result = { reencrypted, unreadable: old.length - reencrypted }
      if (webhook === null || reencrypted === 0) return result
      const secrets = webhook.secrets.map((secret) => {
        const text = texts.get(secret.ciphertext) ?? null
        return text === null ? secret : { ...secret, ciphertext: cipher.encrypt(id, text) }
      })
      if (await store.webhooks.save({ ...webhook, version: webhook.version + 1, secrets }, webhook.version)) {
        return result
      }
    }
  }

  return {
    /**
     * Re-encrypts every signing secret that was not encrypted with the current key, so that the
     * other keys can be removed. Safe while the service runs, and safe to repeat.
     */
    async rotateKey(): Promise<KeyRotationResult> {
      const total: KeyRotationResult = { webhooks: 0, reencrypted: 0, unreadable: 0 }
      for (let afterId: string | null = null; ; ) {
        const accounts: { id: string }[] = await store.accounts.list({ afterId, limit: ACCOUNTS_PER_BATCH })
        for (const { id } of accounts) {
          for (const webhook of await store.webhooks.list(id)) {
            const { reencrypted, unreadable } = await reencrypt(webhook)
            total.webhooks += 1
            total.reencrypted += reencrypted
            total.unreadable += unreadable
          }
        }
        if (accounts.length < ACCOUNTS_PER_BATCH) break
        afterId = accounts.at(-1)!.id
      }
      await onRotated()
      return total
    }
  }
}
