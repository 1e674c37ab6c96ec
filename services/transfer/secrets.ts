import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { StartError } from '../../errors.ts'
import type { EncryptedSecret, Store, WebhookRecord } from '../../ports/store/port.ts'
import type { SecretCipher } from '../webhooks/secret-encryption.ts'
import { validSecrets, withoutExpired } from '../webhooks/secrets.ts'
import type { Entry, ExportHeader } from './format.ts'

/** A decrypted signing secret: `text` instead of `ciphertext`. */
type PlaintextSecret = Omit<EncryptedSecret, 'ciphertext'> & { text: string }

/** Identifies a SECRETS_KEY: the first 8 hexadecimal digits of its SHA-256. */
export const secretsKeyId = (key: Buffer): string => createHash('sha256').update(key).digest('hex').slice(0, 8)

/**
 * The entries with decrypted signing secrets, without expired ones. Throws a StartError for a
 * secret that no key decrypts.
 */
export async function* decryptSecrets(entries: AsyncIterable<Entry>, cipher: SecretCipher): AsyncGenerator<Entry> {
  for await (const entry of entries) {
    if (entry.kind !== 'webhook') {
      yield entry
      continue
    }
    const webhook = withoutExpired(entry.record as WebhookRecord)
    const secrets = webhook.secrets.map(
      ({ ciphertext, ...secret }): PlaintextSecret => ({ ...secret, text: decrypt(webhook, ciphertext, cipher) })
    )
    yield { kind: 'webhook', record: { ...webhook, secrets } as unknown as WebhookRecord }
  }
}

function decrypt({ id }: WebhookRecord, ciphertext: string, cipher: SecretCipher): string {
  try {
    return cipher.decrypt(id, ciphertext)
  } catch (error) {
    throw new StartError(
      [
        `A signing secret of the webhook ${id} cannot be decrypted with any key in SECRETS_KEY.`,
        'Add the key that encrypted it.'
      ].join(' '),
      { cause: error }
    )
  }
}

/** Throws a StartError with instructions if the keys cannot decrypt the webhook's secrets. */
export function assertDecryptable(record: WebhookRecord, header: ExportHeader, cipher: SecretCipher): void {
  if (header.secrets === 'plaintext') return
  try {
    for (const { ciphertext } of validSecrets(record)) cipher.decrypt(record.id, ciphertext)
  } catch (error) {
    throw new StartError(
      [
        'The webhook signing secrets in this export are encrypted with a SECRETS_KEY that is not configured',
        `(its SHA-256 starts with ${header.secretsKey}). Nothing was imported. Do one of the following:`,
        '  1. Set SECRETS_KEY to your key and that key, separated by a comma, and import again.',
        '     The key of a data folder is in its file secrets/key. Then run "svc secrets rotate-key".',
        '  2. Export again with --with-secrets.'
      ].join('\n'),
      { cause: error }
    )
  }
}

/**
 * Encrypts the plaintext secrets of a webhook. If the stored webhook already has the same secrets,
 * their stored ciphertext is used: encryption is not deterministic, and a resumed import must not
 * conflict with itself.
 */
export async function encryptSecrets(
  store: Store,
  record: WebhookRecord,
  cipher: SecretCipher
): Promise<WebhookRecord> {
  const secrets = record.secrets as unknown as PlaintextSecret[]
  const stored = await store.webhooks.find(record.accountId, record.id)
  if (stored !== null && isDeepStrictEqual(secrets, tryDecrypt(stored, cipher))) {
    return { ...record, secrets: stored.secrets }
  }
  return {
    ...record,
    secrets: secrets.map(({ text, ...secret }) => ({ ...secret, ciphertext: cipher.encrypt(record.id, text) }))
  }
}

/** Null if a secret cannot be decrypted. */
function tryDecrypt({ id, secrets }: WebhookRecord, cipher: SecretCipher): PlaintextSecret[] | null {
  try {
    return secrets.map(({ ciphertext, ...secret }) => ({ ...secret, text: cipher.decrypt(id, ciphertext) }))
  } catch {
    return null
  }
}
