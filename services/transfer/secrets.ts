import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { StartError } from '../../errors.ts'
import type { EncryptedSecret, Store, WebhookRecord } from '../../ports/store/port.ts'
import type { Seal } from '../webhooks/seal.ts'
import { goodSecrets, withoutEnded } from '../webhooks/secrets.ts'
import type { Entry, ExportHeader } from './format.ts'

/** A decrypted signing secret: `text` instead of `ciphertext`. */
type PlaintextSecret = Omit<EncryptedSecret, 'ciphertext'> & { text: string }

/** Identifies a SECRETS_KEY: the first 8 hexadecimal digits of its SHA-256. */
export const secretsKeyId = (key: Buffer): string => createHash('sha256').update(key).digest('hex').slice(0, 8)

/**
 * The entries with decrypted signing secrets, without expired ones. Throws a StartError for a
 * secret that no key decrypts.
 */
export async function* decryptSecrets(entries: AsyncIterable<Entry>, seal: Seal): AsyncGenerator<Entry> {
  for await (const entry of entries) {
    if (entry.kind !== 'webhook') {
      yield entry
      continue
    }
    const webhook = withoutEnded(entry.record as WebhookRecord)
    const secrets = webhook.secrets.map(
      ({ ciphertext, ...secret }): PlaintextSecret => ({ ...secret, text: decrypt(webhook, ciphertext, seal) })
    )
    yield { kind: 'webhook', record: { ...webhook, secrets } as unknown as WebhookRecord }
  }
}

function decrypt({ id }: WebhookRecord, ciphertext: string, seal: Seal): string {
  try {
    return seal.open(id, ciphertext)
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
export function assertDecryptable(record: WebhookRecord, header: ExportHeader, seal: Seal): void {
  if (header.secrets === 'plaintext') return
  try {
    for (const { ciphertext } of goodSecrets(record)) seal.open(record.id, ciphertext)
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
export async function encryptSecrets(store: Store, record: WebhookRecord, seal: Seal): Promise<WebhookRecord> {
  const secrets = record.secrets as unknown as PlaintextSecret[]
  const stored = await store.webhooks.find(record.accountId, record.id)
  if (stored !== null && isDeepStrictEqual(secrets, tryDecrypt(stored, seal))) {
    return { ...record, secrets: stored.secrets }
  }
  return {
    ...record,
    secrets: secrets.map(({ text, ...secret }) => ({ ...secret, ciphertext: seal.seal(record.id, text) }))
  }
}

/** Null if a secret cannot be decrypted. */
function tryDecrypt({ id, secrets }: WebhookRecord, seal: Seal): PlaintextSecret[] | null {
  try {
    return secrets.map(({ ciphertext, ...secret }) => ({ ...secret, text: seal.open(id, ciphertext) }))
  } catch {
    return null
  }
}
