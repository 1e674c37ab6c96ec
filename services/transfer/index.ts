import type { Files } from '../../ports/files/port.ts'
import type { Limits } from '../../ports/limits/port.ts'
import type { Store } from '../../ports/store/port.ts'
import { createSeal } from '../webhooks/seal.ts'
import { EXPORT_VERSION, RECORDS_AT_ONCE, TRANSFER_KINDS, type Entry, type ExportHeader } from './entries.ts'
import { framed } from './framing.ts'
import { importExport, type ImportRequest } from './importing.ts'
import { fileEntries } from './moved-files.ts'
import { secretsKeyId, withReadableSecrets } from './moved-secrets.ts'
import type { Imported } from './writing.ts'
export { framed } from './framing.ts'
export { assertNoImport } from './import-mark.ts'
export { readExport } from './reading.ts'
export type { Entry, ExportHeader } from './entries.ts'
export type { Imported } from './writing.ts'

export type Transfer = ReturnType<typeof createTransfer>

/** An export before it is written: what its first line says, and what is in it. */
export interface Exported {
  header: ExportHeader
  entries: AsyncIterable<Entry>
}

/**
 * Makes the signing secrets of webhooks in an export readable. Throws a StartError when one is met
 * that none of the keys opens.
 */
export function createSecretsReader(secretsKeys: readonly Buffer[]): (exported: Exported) => Exported {
  const seal = createSeal(secretsKeys)
  return ({ header, entries }) => ({
    header: { ...header, secrets: 'readable' },
    entries: withReadableSecrets(entries, seal)
  })
}

interface Parts {
  store: Store
  files: Files
  limits: Limits /** 32 bytes each: the first encrypts the signing secrets, all of them decrypt. */
  secretsKeys: readonly Buffer[]
}

/**
 * Everything that the store and the files hold and nothing else can make again, on its way to
 * another store, whatever either is made of.
 */
export function createTransfer({ store, files, limits, secretsKeys }: Parts) {
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

  const exported = (): Exported => ({
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
    exported,

    /** The export as lines. */
    lines: (): AsyncGenerator<string> => {
      const { header, entries } = exported()
      return framed(header, entries)
    },

    /** See `importExport`. */
    take: async (request: ImportRequest): Promise<Imported> =>
      await importExport({ store, files, limits, seal }, request)
  }
}
