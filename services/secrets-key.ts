import { StartError } from '../errors.ts'
import type { Store } from '../ports/store/port.ts'
import { createSecretCipher } from './webhooks/secret-encryption.ts'

/** The name of the check value in the store's metadata, and what binds the ciphertext to its use. */
const NAME = 'secrets-key-check'
const TEXT = 'SECRETS_KEY decrypts this store'

/** A store without a check value is checked by the first signing secret of this many accounts. */
const MAX_SAMPLED_ACCOUNTS = 1000
const ACCOUNTS_PER_PAGE = 100

export type SecretsKeyCheck = ReturnType<typeof createSecretsKeyCheck>

/**
 * Detects a wrong SECRETS_KEY at startup. The store contains a known text that is encrypted with
 * SECRETS_KEY. The first start writes it.
 */
export function createSecretsKeyCheck({ store, keys }: { store: Store; keys: readonly Buffer[] }) {
  const cipher = createSecretCipher(keys)

  const canDecrypt = (id: string, ciphertext: string): boolean => {
    try {
      cipher.decrypt(id, ciphertext)
      return true
    } catch {
      return false
    }
  }

  /** Whether the keys decrypt a signing secret of this store. True if none is found. */
  async function decryptsSample(): Promise<boolean> {
    let afterId: string | null = null
    for (let count = 0; count < MAX_SAMPLED_ACCOUNTS; count += ACCOUNTS_PER_PAGE) {
      const accounts: { id: string }[] = await store.accounts.list({ afterId, limit: ACCOUNTS_PER_PAGE })
      for (const { id } of accounts) {
        const webhooks = await store.webhooks.list(id)
        const sample = webhooks.flatMap(({ id, secrets }) => secrets.map(({ ciphertext }) => ({ id, ciphertext })))
        if (sample.length > 0) return sample.some(({ id, ciphertext }) => canDecrypt(id, ciphertext))
      }
      if (accounts.length < ACCOUNTS_PER_PAGE) break
      afterId = accounts.at(-1)!.id
    }
    return true
  }

  /** Stores a check value of the current key in place of any other. */
  async function accept(): Promise<void> {
    while (true) {
      const current = await store.metadata.find(NAME)
      if (current !== null && cipher.isCurrent(NAME, current)) return
      if (await store.metadata.replace(NAME, current, cipher.encrypt(NAME, TEXT))) return
    }
  }

  return {
    /**
     * Throws a StartError if none of the keys decrypts the secrets of this store. Otherwise, and
     * also with an older key, the service may start.
     */
    async verify(): Promise<void> {
      const current = await store.metadata.find(NAME)
      if (current === null) {
        if (!(await decryptsSample())) throw wrongKey()
        // Of concurrent first starts, one writes the value, and the others are checked by it.
        if (await store.metadata.replace(NAME, null, cipher.encrypt(NAME, TEXT))) return
        return await this.verify()
      }
      if (!canDecrypt(NAME, current)) throw wrongKey()
    },
    /** Makes the first key the one that `verify` requires: after a rotation, or if a key was lost. */
    accept
  }
}

const wrongKey = (): StartError =>
  new StartError(
    [
      'SECRETS_KEY cannot decrypt the secrets in this store: it was started with another key.',
      'Do one of the following:',
      '  1. Set SECRETS_KEY to the key that the store was started with. If SECRETS_KEY was not set then,',
      '     the key is in the file secrets/key of the data folder.',
      '  2. To replace that key, set both: SECRETS_KEY=NEW,OLD. Then run "svc secrets rotate-key".',
      '  3. If that key is lost, run "svc secrets accept-key". Then rotate the signing secret of every webhook.'
    ].join('\n')
  )
