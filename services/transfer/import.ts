import { StartError } from '../../errors.ts'
import type { Files } from '../../ports/files/port.ts'
import type { Limits } from '../../ports/limits/port.ts'
import type { Store, TransferKind, TransferOutcome, TransferRecord, WebhookRecord } from '../../ports/store/port.ts'
import { parseTimestamp } from '../../schemas/formats.ts'
import type { SecretCipher } from '../webhooks/secret-encryption.ts'
import { compareFile, skipFile, storeFile } from './files.ts'
import {
  BATCH_SIZES,
  isRecordEntry,
  parseExport,
  TRANSFER_KINDS,
  type Entry,
  type ExportEnd,
  type ExportHeader,
  type FileEntry,
  type RecordEntry
} from './format.ts'
import { assertDecryptable, encryptSecrets } from './secrets.ts'

export interface ImportRequest {
  /** Opens the export from its beginning; called twice. */
  open: () => AsyncIterable<Uint8Array>
  /** Whether the store may already contain data. */
  intoExisting: boolean
  /** Called with the number of processed lines. */
  progress: (done: number, total: number) => void
}

export interface ImportDependencies {
  store: Store
  files: Files
  limits: Limits
  cipher: SecretCipher
}

/** Counts by kind. */
export interface ImportSummary {
  added: Record<string, number>
  /** Records that the store already had. */
  same: Record<string, number>
  /** Records that were skipped: the record that they belong to is not in the export. */
  orphans: Record<string, number>
  /** Whether signing secrets are still encrypted with another key than the first. */
  needsKeyRotation: boolean
}

/**
 * Imports an export into a store that nothing else uses. The whole export is validated before the
 * first write. An interrupted import resumes when it is run again with the same export. Afterwards
 * all caches of the imported accounts are invalid. Throws a StartError for a damaged export, for
 * secrets that cannot be decrypted, for conflicts, and without `intoExisting` for a store that is
 * not empty.
 */
export async function importExport(
  dependencies: ImportDependencies,
  { open, intoExisting, progress }: ImportRequest
): Promise<ImportSummary> {
  const { store, files, limits } = dependencies
  const { end, conflicts } = await validateExport(dependencies, open(), intoExisting)
  const pending = await readPendingImport(files)
  if (pending !== null && pending.sha256 !== end.sha256) {
    throw new StartError(
      [
        `Another import into this store, started at ${pending.startedAt}, is not complete.`,
        'Run "svc import" again with its file, or start with an empty store.'
      ].join(' ')
    )
  }
  if (pending === null && intoExisting) assertNoConflicts(conflicts)
  if (pending === null && !intoExisting && !(await isEmpty(store))) {
    throw new StartError(
      [
        'The store is not empty. Import into an empty store (a new DATA_DIR, or a new database in MONGODB_URL),',
        'or use --into-existing to keep the existing data; then nothing is imported if anything conflicts.'
      ].join(' ')
    )
  }
  if (pending === null) {
    await writePendingImport(files, { sha256: end.sha256, startedAt: new Date().toISOString() })
  }

  const { header, entries } = await parseExport(open())
  const writer = createWriter(dependencies, header)
  const total = Object.values(end.counts).reduce((sum, count) => sum + count, 0)
  let done = 0
  for (let next = await entries.next(); next.done !== true; next = await entries.next()) {
    if (next.value.kind === 'file') done += await writer.addFile(next.value, entries)
    else if (isRecordEntry(next.value)) await writer.addRecord(next.value.kind, next.value.record)
    progress(++done, total)
  }
  await writer.flush()
  for (const account of writer.accounts) {
    for (const kind of ['keys', 'content'] as const) await limits.bumpEpoch(account, kind)
  }
  await deletePendingImport(files)
  return writer.summary
}

/** Reads an export to its end. With `compare`, also finds conflicts with the store. */
async function validateExport(
  { store, files, cipher }: ImportDependencies,
  bytes: AsyncIterable<Uint8Array>,
  compare: boolean
): Promise<{ end: ExportEnd; conflicts: string[] }> {
  const { header, entries, end } = await parseExport(bytes)
  const conflicts: string[] = []
  const batch = createBatch(async (kind, records) => {
    if (compare) conflicts.push(...ignoreCliAccount((await store.transfer.compare(kind, records)).conflicts))
  })
  for await (const entry of entries) {
    if (isRecordEntry(entry)) assertValidTimes(entry)
    if (entry.kind === 'webhook') assertDecryptable(entry.record as WebhookRecord, header, cipher)
    if (entry.kind === 'webhook' && header.secrets === 'plaintext') {
      await batch.add('webhook', await encryptSecrets(store, entry.record as WebhookRecord, cipher))
    } else if (isRecordEntry(entry)) await batch.add(entry.kind, entry.record)
    else if (entry.kind === 'file' && compare && (await compareFile(files, entry)) === 'different') {
      conflicts.push(`file ${entry.key}`)
    }
  }
  await batch.flush()
  return { end: end(), conflicts }
}

/** Whether the store contains nothing but the account of the command line. */
async function isEmpty(store: Store): Promise<boolean> {
  const accounts = await store.accounts.list({ afterId: null, limit: 2 })
  if (!accounts.every(({ id }) => id === CLI_ACCOUNT)) return false
  for (const kind of TRANSFER_KINDS.filter((kind) => kind !== 'account' && kind !== 'usage')) {
    if ((await store.transfer.page(kind, { after: null, limit: 1 })).records.length > 0) return false
  }
  return true
}

/** Writes the entries of an export in batches. Call `flush` after the last one. */
function createWriter({ store, files, cipher }: ImportDependencies, header: ExportHeader) {
  const summary: ImportSummary = { added: {}, same: {}, orphans: {}, needsKeyRotation: false }
  const accounts = new Set<string>()
  const add = (totals: Record<string, number>, kind: string, count: number) => {
    totals[kind] = (totals[kind] ?? 0) + count
  }
  const count = (kind: string, { added, unchanged, orphans }: Omit<TransferOutcome, 'conflicts'>) => {
    add(summary.added, kind, added)
    add(summary.same, kind, unchanged)
    add(summary.orphans, kind, orphans)
  }
  const batch = createBatch(async (kind, records) => {
    const { conflicts, ...outcome } = await store.transfer.put(kind, records)
    const relevant = ignoreCliAccount(conflicts)
    count(kind, { ...outcome, unchanged: outcome.unchanged + conflicts.length - relevant.length })
    assertNoConflicts(relevant)
  })

  return {
    summary,
    /** The ids of the imported accounts. */
    accounts,
    flush: batch.flush,
    async addRecord(kind: TransferKind, record: TransferRecord<TransferKind>): Promise<void> {
      if (kind === 'account') accounts.add((record as TransferRecord<'account'>).id)
      if (kind !== 'webhook') return await batch.add(kind, record)
      const webhook = record as WebhookRecord
      const encrypted = header.secrets === 'plaintext' ? await encryptSecrets(store, webhook, cipher) : webhook
      summary.needsKeyRotation ||= encrypted.secrets.some(({ ciphertext }) => !cipher.isCurrent(webhook.id, ciphertext))
      await batch.add(kind, encrypted)
    },
    /** Stores the file unless it exists. Resolves with the number of lines of its bytes. */
    async addFile(entry: FileEntry, entries: AsyncIterator<Entry>): Promise<number> {
      await batch.flush()
      let lines = 0
      const counted: AsyncIterator<Entry> = {
        async next() {
          lines += 1
          return await entries.next()
        }
      }
      const comparison = await compareFile(files, entry)
      if (comparison === 'different') assertNoConflicts([`file ${entry.key}`])
      if (comparison === 'absent') await storeFile(files, entry, counted)
      else await skipFile(entry, counted)
      count('file', { added: Number(comparison === 'absent'), unchanged: Number(comparison === 'same'), orphans: 0 })
      return lines
    }
  }
}

/** Collects records and handles them in batches of one kind. */
function createBatch(
  handle: <Kind extends TransferKind>(kind: Kind, records: TransferRecord<Kind>[]) => Promise<void>
) {
  let kind: TransferKind | null = null
  let records: TransferRecord<TransferKind>[] = []
  const flush = async () => {
    if (kind !== null && records.length > 0) await handle(kind, records)
    records = []
  }
  return {
    flush,
    async add(next: TransferKind, record: TransferRecord<TransferKind>): Promise<void> {
      if (next !== kind || records.length >= BATCH_SIZES[next]) await flush()
      kind = next
      records.push(record)
    }
  }
}

/** The names of fields that contain a time, in records of every kind. */
const TIME_FIELD = /^(?:at|since|until|hour)$|(?:At|Since|Until)$/

/** Throws a StartError if a field of the record is not a time between the years 0001 and 9999. */
function assertValidTimes({ kind, record }: RecordEntry): void {
  for (const [name, value] of Object.entries(record)) {
    if (!TIME_FIELD.test(name) || value === null) continue
    if (typeof value === 'string' && parseTimestamp(value) !== null) continue
    const id = (record as { id?: string }).id ?? ''
    throw new StartError(
      [
        `The field ${name} of ${kind} ${id} is not a valid time: ${JSON.stringify(value)}.`,
        'Correct or delete the record in the old store, and export again.'
      ].join(' ')
    )
  }
}

const MAX_LISTED_CONFLICTS = 10

/** Throws a StartError that lists the conflicts, if there are any. */
function assertNoConflicts(conflicts: string[]): void {
  if (conflicts.length === 0) return
  const more = conflicts.length - MAX_LISTED_CONFLICTS
  throw new StartError(
    [
      'The import conflicts with existing data:',
      ...conflicts.slice(0, MAX_LISTED_CONFLICTS).map((name) => `  ${name}`),
      ...(more > 0 ? [`  … and ${more} more`] : [])
    ].join('\n')
  )
}

/** The account that the command line acts for if none is given. */
const CLI_ACCOUNT = 'svc'

/**
 * Removes conflicts about the account of the command line and its usage. Every store gets that
 * account when an operator uses it, so it differs in almost any two stores. The existing one stays.
 */
function ignoreCliAccount(conflicts: string[]): string[] {
  return conflicts.filter((name) => name !== `account ${CLI_ACCOUNT}` && !name.startsWith(`usage ${CLI_ACCOUNT} `))
}

/** Stored from before the first write until after the last one of an import. */
interface PendingImport {
  sha256: string
  startedAt: string
}

const PENDING_KEY = 'transfer/import.json'

async function readPendingImport(files: Files): Promise<PendingImport | null> {
  const bytes = await files.read(PENDING_KEY)
  return bytes === null ? null : (JSON.parse(bytes.toString()) as PendingImport)
}

async function writePendingImport(files: Files, pending: PendingImport): Promise<void> {
  await files.put(PENDING_KEY, Buffer.from(JSON.stringify(pending)))
}

async function deletePendingImport(files: Files): Promise<void> {
  await files.remove(PENDING_KEY)
}

/** Throws a StartError if an import was interrupted: half of its data must not be served. */
export async function assertNoPendingImport(files: Files): Promise<void> {
  const pending = await readPendingImport(files)
  if (pending === null) return
  throw new StartError(
    [
      `An import into this store, started at ${pending.startedAt}, is not complete.`,
      'Run "svc import" again with the same file before you start the service.'
    ].join(' ')
  )
}
