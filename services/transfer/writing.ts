import { StartError } from '../../errors.ts'
import type { Files } from '../../ports/files/port.ts'
import type { Store, TransferKind, TransferOutcome, TransferRecord, WebhookRecord } from '../../ports/store/port.ts'
import type { Seal } from '../webhooks/seal.ts'
import type { Entry, ExportHeader, FileEntry } from './entries.ts'
import { createGathering } from './gathering.ts'
import { compareFile, keepFile, skipFile } from './moved-files.ts'
import { sealedAsStored } from './moved-secrets.ts'
import { withoutOperators } from './operators-account.ts'

export interface ImportSummary {
  /** What was kept now, and what was there already, by kind. */
  added: Record<string, number>
  same: Record<string, number>
  /** Left out, because what they belong to is not in the export. */
  orphans: Record<string, number>
  /** Whether signing secrets are still encrypted by another key than the first. */
  needsKeyRotation: boolean
}

/** Conflicts that are named; there may be as many as records. */
const MOST_NAMED = 10

/** Writes what is in an export, gathering records of a kind; `flush` after the last one. */
export function createWriting(
  { store, files, seal }: { store: Store; files: Files; seal: Seal },
  header: ExportHeader
) {
  const imported: ImportSummary = { added: {}, same: {}, orphans: {}, needsKeyRotation: false }
  const accounts = new Set<string>()
  const count = (kind: string, { added, unchanged, orphans }: Omit<TransferOutcome, 'conflicts'>) => {
    for (const [of, number] of Object.entries({ added, same: unchanged, orphans }) as [
      'added' | 'same' | 'orphans',
      number
    ][]) {
      imported[of][kind] = (imported[of][kind] ?? 0) + number
    }
  }
  const gathering = createGathering(async (kind, records) => {
    const { conflicts, ...outcome } = await store.transfer.put(kind, records)
    const inTheWay = withoutOperators(conflicts)
    count(kind, { ...outcome, unchanged: outcome.unchanged + conflicts.length - inTheWay.length })
    assertNoConflicts(inTheWay)
  })

  return {
    imported,
    accounts,
    flush: gathering.flush,
    async record(kind: TransferKind, record: TransferRecord<TransferKind>): Promise<void> {
      if (kind === 'account') accounts.add((record as TransferRecord<'account'>).id)
      if (kind !== 'webhook') return await gathering.add(kind, record)
      const webhook = record as WebhookRecord
      const kept = header.secrets === 'readable' ? await sealedAsStored(store, webhook, seal) : webhook
      imported.needsKeyRotation ||= kept.secrets.some(({ ciphertext }) => !seal.isCurrent(webhook.id, ciphertext))
      await gathering.add(kind, kept)
    },
    /** Keeps the file unless it is here; returns how many lines its bytes had. */
    async file(entry: FileEntry, entries: AsyncIterator<Entry>): Promise<number> {
      await gathering.flush()
      let lines = 0
      const counted: AsyncIterator<Entry> = {
        next: async () => {
          lines += 1
          return await entries.next()
        }
      }
      const standing = await compareFile(files, entry)
      if (standing === 'other') assertNoConflicts([`file ${entry.key}`])
      if (standing === 'absent') await keepFile(files, entry, counted)
      else await skipFile(entry, counted)
      count('file', { added: Number(standing === 'absent'), unchanged: Number(standing === 'same'), orphans: 0 })
      return lines
    }
  }
}

/** Throws a StartError that names what is in the way, when something is. */
export function assertNoConflicts(conflicts: string[]): void {
  if (conflicts.length === 0) return
  const more = conflicts.length > MOST_NAMED ? `\n  … and ${conflicts.length - MOST_NAMED} more` : ''
  throw new StartError(
    `Something else stands in the place of what is to be imported:\n${conflicts
      .slice(0, MOST_NAMED)
      .map((name) => `  ${name}`)
      .join('\n')}${more}`
  )
}
