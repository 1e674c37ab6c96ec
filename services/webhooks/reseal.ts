import type { Store, WebhookRecord } from '../../ports/store/port.ts'
import type { SecretCipher } from './seal.ts'

/** How the signing secrets of all accounts are encrypted. */
export interface KeyRotationResult {
  /** Webhooks that were looked at. */ webhooks: number /** Secrets that are encrypted anew. */
  resealed: number /** Secrets that none of the keys opens; they are left as they are. */
  unreadable: number
}

const ACCOUNTS_AT_ONCE = 100

/** Encrypts signing secrets anew when SECRETS_KEY is changed. */
export function createKeyRotation({ store, seal }: { store: Store; seal: SecretCipher }) {
  const opens = (id: string, ciphertext: string) => {
    try {
      return seal.decrypt(id, ciphertext)
    } catch {
      return null
    }
  }

  /** Others may change the webhook at the same time: then it is read again. */
  async function resealOne({ accountId, id }: WebhookRecord): Promise<Omit<KeyRotationResult, 'webhooks'>> {
    while (true) {
      const webhook = await store.webhooks.find(accountId, id)
      const old = (webhook?.secrets ?? []).filter(({ ciphertext }) => !seal.isCurrent(id, ciphertext))
      const texts = new Map(old.map(({ ciphertext }) => [ciphertext, opens(id, ciphertext)]))
      const resealed = [...texts.values()].filter((text) => text !== null).length
      const outcome = { resealed, unreadable: old.length - resealed }
      if (webhook === null || resealed === 0) return outcome
      const secrets = webhook.secrets.map((secret) => {
        const text = texts.get(secret.ciphertext) ?? null
        return text === null ? secret : { ...secret, ciphertext: seal.encrypt(id, text) }
      })
      if (await store.webhooks.save({ ...webhook, version: webhook.version + 1, secrets }, webhook.version)) {
        return outcome
      }
    }
  }

  return {
    /**
     * Encrypts every signing secret that another key than the first has encrypted by the first, so
     * that the others can be dropped. Harmless while the service runs, and again.
     */
    async rotateKey(): Promise<KeyRotationResult> {
      const sum: KeyRotationResult = { webhooks: 0, resealed: 0, unreadable: 0 }
      for (let afterId: string | null = null; ; ) {
        const accounts: { id: string }[] = await store.accounts.list({ afterId, limit: ACCOUNTS_AT_ONCE })
        for (const { id } of accounts) {
          for (const webhook of await store.webhooks.list(id)) {
            const { resealed, unreadable } = await resealOne(webhook)
            sum.webhooks += 1
            sum.resealed += resealed
            sum.unreadable += unreadable
          }
        }
        if (accounts.length < ACCOUNTS_AT_ONCE) return sum
        afterId = accounts.at(-1)!.id
      }
    }
  }
}
