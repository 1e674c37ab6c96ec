import { StartError } from '../../errors.ts'
import type { Files } from '../../ports/files/port.ts'
import type { Limits } from '../../ports/limits/port.ts'
import type { Store, WebhookRecord } from '../../ports/store/port.ts'
import type { Seal } from '../webhooks/seal.ts'
import { isRecordEntry, TRANSFER_KINDS, type ExportEnd } from './entries.ts'
import { createGathering } from './gathering.ts'
import { readMark, removeMark, setMark } from './import-mark.ts'
import { compareFile } from './moved-files.ts'
import { assertSecretsOpen, sealedAsStored } from './moved-secrets.ts'
import { isOperatorsAccount, withoutOperators } from './operators-account.ts'
import { parseExport } from './reading.ts'
import { assertNoConflicts, createWriting, type ImportSummary } from './writing.ts'

export interface ImportRequest {
  /** Opens the export from its beginning; it is read twice. */
  open: () => AsyncIterable<Uint8Array>
  /** Whether it may be added to what is there already. */
  intoExisting: boolean
  /** Told how many of all lines are done. */
  progress: (done: number, total: number) => void
}

export interface ImportDependencies {
  store: Store
  files: Files
  limits: Limits
  seal: Seal
}

/**
 * Takes an export into this store, which nobody else uses meanwhile. The whole export is looked at
 * before anything is written. Broken off, it goes on when it is run again with the
 * same export. At the end nothing that any process has kept in memory of these accounts is good any
 * more.
 * Throws a StartError for an export that is damaged or whose secrets cannot be used, and for a
 * store that is not empty, unless `intoExisting` and nothing in it is in the way.
 */
export async function importExport(
  parts: ImportDependencies,
  { open, intoExisting, progress }: ImportRequest
): Promise<ImportSummary> {
  const { store, files, limits } = parts
  const { end, conflicts } = await lookThrough(parts, open(), intoExisting)
  const mark = await readMark(files)
  if (mark !== null && mark.sha256 !== end.sha256) {
    throw new StartError(
      `Another import into this store, begun at ${mark.startedAt}, is not complete: run svc import with that file again, or begin with an empty store.`
    )
  }
  if (mark === null && intoExisting) assertNoConflicts(conflicts)
  if (mark === null && !intoExisting && !(await isEmpty(store))) {
    throw new StartError(
      'The store is not empty. Import into an empty one (a new DATA_DIR, or a new database in MONGODB_URL), or add --into-existing: then what is there stays, and nothing is imported if anything is in the way.'
    )
  }
  if (mark === null) await setMark(files, { sha256: end.sha256, startedAt: new Date().toISOString() })

  const { header, entries } = await parseExport(open())
  const writing = createWriting(parts, header)
  const total = Object.values(end.counts).reduce((sum, count) => sum + count, 0)
  let done = 0
  for (let next = await entries.next(); next.done !== true; next = await entries.next()) {
    if (next.value.kind === 'file') done += await writing.file(next.value, entries)
    else if (isRecordEntry(next.value)) await writing.record(next.value.kind, next.value.record)
    progress(++done, total)
  }
  await writing.flush()
  for (const account of writing.accounts) {
    for (const kind of ['keys', 'content'] as const) await limits.bumpEpoch(account, kind)
  }
  await removeMark(files)
  return writing.imported
}

/** Reads the export once to its end; with `compare` also what in the store is in its way. */
async function lookThrough(
  { store, files, seal }: ImportDependencies,
  bytes: AsyncIterable<Uint8Array>,
  compare: boolean
): Promise<{ end: ExportEnd; conflicts: string[] }> {
  const { header, entries, end } = await parseExport(bytes)
  const conflicts: string[] = []
  const gathering = createGathering(async (kind, records) => {
    if (compare) conflicts.push(...withoutOperators((await store.transfer.compare(kind, records)).conflicts))
  })
  for await (const entry of entries) {
    if (entry.kind === 'webhook') assertSecretsOpen(entry.record as WebhookRecord, header, seal)
    if (entry.kind === 'webhook' && header.secrets === 'readable') {
      await gathering.add('webhook', await sealedAsStored(store, entry.record as WebhookRecord, seal))
    } else if (isRecordEntry(entry)) await gathering.add(entry.kind, entry.record)
    else if (entry.kind === 'file' && compare && (await compareFile(files, entry)) === 'other') {
      conflicts.push(`file ${entry.key}`)
    }
  }
  await gathering.flush()
  return { end: end(), conflicts }
}

/** Whether nobody has used the store yet; the command line itself does not count. */
async function isEmpty(store: Store): Promise<boolean> {
  const accounts = await store.accounts.list({ afterId: null, limit: 2 })
  if (!accounts.every(isOperatorsAccount)) return false
  for (const kind of TRANSFER_KINDS.filter((kind) => kind !== 'account' && kind !== 'usage')) {
    if ((await store.transfer.page(kind, { after: null, limit: 1 })).records.length > 0) return false
  }
  return true
}
