import type { Files } from '../../ports/files/port.ts'
import type { Limits } from '../../ports/limits/port.ts'
import type { Store } from '../../ports/store/port.ts'
import { createSeal } from '../webhooks/seal.ts'
import { EXPORT_VERSION, RECORDS_AT_ONCE, TRANSFER_KINDS, type Entry, type ExportHeader } from './entries.ts'
import { serializeExport } from './framing.ts'
import { importExport, type ImportRequest } from './importing.ts'
import { fileEntries } from './moved-files.ts'
import { secretsKeyId, withReadableSecrets } from './moved-secrets.ts'
import type { ImportSummary } from './writing.ts'
export { serializeExport } from './framing.ts'
export { assertNoPendingImport } from './import-mark.ts'
export { parseExport } from './reading.ts'
export type { Entry, ExportHeader } from './entries.ts'
export type { ImportSummary } from './writing.ts'

export type Transfer = ReturnType<typeof createTransfer>

/** An export before it is written: what its first line says, and what is in it. */
export interface ExportData {
  header: ExportHeader
  entries: AsyncIterable<Entry>
}

/**
 * Makes the signing secrets of webhooks in an export readable. Throws a StartError when one is met
 * that none of the keys opens.
 */
export function createSecretsDecryptor(secretsKeys: readonly Buffer[]): (exported: ExportData) => ExportData {
  const seal = createSeal(secretsKeys)
  return ({ header, entries }) => ({
    header: { ...header, secrets: 'readable' },
    entries: withReadableSecrets(entries, seal)
  })
}

interface TransferDependencies {
  store: Store
  files: Files
  limits: Limits /** 32 bytes each: the first encrypts the signing secrets, all of them decrypt. */
  secretsKeys: readonly Buffer[]
}

/**
 * Everything that the store and the files hold and nothing else can make again, on its way to
 * another store, whatever either is made of.
 */
export function createTransfer({ store, files, limits, secretsKeys }: TransferDependencies) {
  const seal = createSeal(secretsKeys)

  async function* entries(): AsyncGenerator<Entry> {
    for (const kind of TRANSFER_KINDS) {
      for (let after: string | null = null; ; ) {
        const { records, next } = (await store.transfer.page(kind, { after, limit: RECORDS_AT_ONCE[kind] })) as {
          records: never[]
          next: string | null
        }
        for (const record of records) yield { kind, record }
        if (next === null) break
        after = next
      }
    }
    yield* fileEntries(files)
  }

  const createExport = (): ExportData => ({
    header: {
      kind: 'export',
      version: EXPORT_VERSION,
      madeAt: new Date().toISOString(),
      secretsKey: secretsKeyId(secretsKeys[0]!),
      secrets: 'sealed'
    },
    entries: entries()
  })

  return {
    /**
     * Each record is whole; of what changes while it is read, some may be in it and some not. Keys
     * are in it as they are stored, without their values.
     */
    createExport,

    /** The export as lines. */
    exportLines: (): AsyncGenerator<string> => {
      const { header, entries } = createExport()
      return serializeExport(header, entries)
    },

    /** See `importExport`. */
    importData: async (request: ImportRequest): Promise<ImportSummary> =>
      await importExport({ store, files, limits, seal }, request)
  }
}
