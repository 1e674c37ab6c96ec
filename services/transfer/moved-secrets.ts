import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { StartError } from '../../errors.ts'
import type { EncryptedSecret, Store, WebhookRecord } from '../../ports/store/port.ts'
import type { Seal } from '../webhooks/seal.ts'
import { goodSecrets, withoutEnded } from '../webhooks/secrets.ts'
import type { Entry, ExportHeader } from './entries.ts'

/** A signing secret that can be read: `text` instead of `ciphertext`. */
type ReadableSecret = Omit<EncryptedSecret, 'ciphertext'> & { text: string }

/** What a SECRETS_KEY is called by, without telling it. */
export const secretsKeyId = (key: Buffer): string => createHash('sha256').update(key).digest('hex').slice(0, 8)

/**
 * The entries with the signing secrets readable; those that have ended are left out. Throws a
 * StartError for one that none of the keys opens.
 */
export async function* withReadableSecrets(entries: AsyncIterable<Entry>, seal: Seal): AsyncGenerator<Entry> {
  for await (const entry of entries) {
    if (entry.kind !== 'webhook') {
      yield entry
      continue
    }
    const webhook = withoutEnded(entry.record as WebhookRecord)
    const secrets = webhook.secrets.map(
      ({ ciphertext, ...secret }): ReadableSecret => ({ ...secret, text: openOrTell(webhook, ciphertext, seal) })
    )
    yield { kind: 'webhook', record: { ...webhook, secrets } as unknown as WebhookRecord }
  }
}

function openOrTell({ id }: WebhookRecord, sealed: string, seal: Seal): string {
  try {
    return seal.open(id, sealed)
  } catch (error) {
    throw new StartError(
      `A signing secret of the webhook ${id} is encrypted by none of the keys in SECRETS_KEY: add the key that it was encrypted by.`,
      { cause: error }
    )
  }
}

/**
 * Throws a StartError, which names the ways out, when the signing secrets of a webhook of the
 * export could not be used here.
 */
export function assertSecretsOpen(record: WebhookRecord, header: ExportHeader, seal: Seal): void {
  if (header.secrets === 'readable') return
  try {
    for (const { ciphertext } of goodSecrets(record)) seal.open(record.id, ciphertext)
  } catch (error) {
    throw new StartError(
      [
        `The signing secrets of webhooks in this export are encrypted by a SECRETS_KEY that is not here (its SHA-256 begins with ${header.secretsKey}). Nothing was imported. Either`,
        '  set SECRETS_KEY to the keys of both, yours first, separated by a comma (that of a data folder is in its file secrets/key), import again, and run svc secrets reseal; or',
        '  export again with --with-secrets.'
      ].join('\n'),
      { cause: error }
    )
  }
}

/**
 * The webhook of an export with readable secrets as it is to be kept: they are encrypted by the key
 * of this service, unless those of the stored one say the same: an import
 * that was broken off has kept it, and encrypting the same again never gives the same.
 */
export async function sealedAsStored(store: Store, record: WebhookRecord, seal: Seal): Promise<WebhookRecord> {
  const secrets = record.secrets as unknown as ReadableSecret[]
  const stored = await store.webhooks.find(record.accountId, record.id)
  if (stored !== null && isDeepStrictEqual(secrets, readable(stored, seal))) {
    return { ...record, secrets: stored.secrets }
  }
  return {
    ...record,
    secrets: secrets.map(({ text, ...secret }) => ({ ...secret, ciphertext: seal.seal(record.id, text) }))
  }
}

function readable({ id, secrets }: WebhookRecord, seal: Seal): ReadableSecret[] | null {
  try {
    return secrets.map(({ ciphertext, ...secret }) => ({ ...secret, text: seal.open(id, ciphertext) }))
  } catch {
    return null // What cannot be opened is not the same as what can be read.
  }
}
