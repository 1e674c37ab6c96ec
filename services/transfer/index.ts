import type { Files } from '../../ports/files/port.ts'
import type { Limits } from '../../ports/limits/port.ts'
import type { Store } from '../../ports/store/port.ts'
import { createSecretCipher } from '../webhooks/secret-encryption.ts'
import { readFiles } from './files.ts'
import {
  BATCH_SIZES,
  EXPORT_VERSION,
  serializeExport,
  TRANSFER_KINDS,
  type Entry,
  type ExportHeader
} from './format.ts'
import { importExport, type ImportRequest, type ImportSummary } from './import.ts'
import { decryptSecrets, secretsKeyId } from './secrets.ts'

export { parseExport, serializeExport, type Entry, type ExportHeader } from './format.ts'
export { assertNoPendingImport, type ImportSummary } from './import.ts'

export type Transfer = ReturnType<typeof createTransfer>

/** An export before serialization. */
export interface ExportData {
  header: ExportHeader
  entries: AsyncIterable<Entry>
}

/**
 * Returns a function that decrypts the webhook signing secrets of an export. Reading its entries
 * throws a StartError for a secret that no key decrypts.
 */
export function createSecretsDecryptor(secretsKeys: readonly Buffer[]): (data: ExportData) => ExportData {
  const cipher = createSecretCipher(secretsKeys)
  return ({ header, entries }) => ({
    header: { ...header, secrets: 'plaintext' },
    entries: decryptSecrets(entries, cipher)
  })
}

interface TransferDependencies {
  store: Store
  files: Files
  limits: Limits
  /** 32 bytes each. The first key encrypts signing secrets, all keys decrypt them. */
  secretsKeys: readonly Buffer[]
}

/** Export and import of all data that cannot be derived, independent of the adapters. */
export function createTransfer({ store, files, limits, secretsKeys }: TransferDependencies) {
  const cipher = createSecretCipher(secretsKeys)

  async function* readEntries(): AsyncGenerator<Entry> {
    for (const kind of TRANSFER_KINDS) {
      for (let after: string | null = null; ; ) {
        const { records, next } = (await store.transfer.page(kind, { after, limit: BATCH_SIZES[kind] })) as {
          records: never[]
          next: string | null
        }
        for (const record of records) yield { kind, record }
        if (next === null) break
        after = next
      }
    }
    yield* readFiles(files)
  }

  function createExport(): ExportData {
    const header: ExportHeader = {
      kind: 'export',
      version: EXPORT_VERSION,
      madeAt: new Date().toISOString(),
      secretsKey: secretsKeyId(secretsKeys[0]!),
      secrets: 'encrypted'
    }
    return { header, entries: readEntries() }
  }

  return {
    /**
     * Each record is consistent in itself. Records that change during the export may be included in
     * the old or the new state. API keys are included as hashes.
     */
    createExport,

    /** The export as lines of JSON. */
    exportLines(): AsyncGenerator<string> {
      const { header, entries } = createExport()
      return serializeExport(header, entries)
    },

    /** See `importExport`. */
    importData: async (request: ImportRequest): Promise<ImportSummary> =>
      await importExport({ store, files, limits, cipher }, request)
  }
}
