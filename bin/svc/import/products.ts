import { createReadStream, createWriteStream } from 'node:fs'
import { access, constants, stat } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Static } from '@sinclair/typebox'
import type { Encoding, ImportDialect, ImportRowError, ProductImport } from '../../../schemas/product-import.ts'
import type { QueueState } from '../../../schemas/queue.ts'
import { accountPath } from '../account.ts'
import { RequestError, stringOption, UsageError, type RunCommand } from '../command.ts'
import { countOf, createProgressBar } from '../output.ts'
import { getQueueState, START_A_WORKER } from '../queues.ts'
import { explainUnknownColumns } from './mapping.ts'

const POLL_MS = 300
/** An import without progress for this long is reported as waiting. */
const STALLED_MS = 5_000
/** The report is repeated after this time: the reason may have changed. */
const REPEAT_MS = 60_000
/** Failed rows that are printed; the file of `--failed` contains the first 10,000 of them. */
const MAX_PRINTED = 50

const MEDIA_TYPES: Record<string, string> = {
  csv: 'text/csv',
  tsv: 'text/csv',
  txt: 'text/csv',
  ndjson: 'application/x-ndjson',
  jsonl: 'application/x-ndjson'
}

type RowError = Static<typeof ImportRowError>
type QueueCounts = Pick<QueueState, 'waiting' | 'due' | 'running'>

export const importProducts: RunCommand = async ({
  args: [file = ''],
  options,
  adminClient,
  stderr,
  print,
  log,
  json
}) => {
  if (!(await stat(file).catch(() => null))?.isFile()) {
    throw new UsageError(`${file} is not a file.`)
  }
  const type = mediaTypeOf(file)
  const failedFile = stringOption(options, 'failed')
  if (failedFile !== undefined) await assertWritable(failedFile, file)
  const query = new URLSearchParams({ projectId: stringOption(options, 'project', 'default') })
  const mappings = stringOption(options, 'map', '')
    .split(',')
    .filter((mapping) => mapping !== '')
  for (const mapping of mappings) query.append('map', mapping)
  const imports = `${accountPath(stringOption(options, 'account', 'demo'))}/products/imports`
  const client = await adminClient()
  let record = await client
    .upload<ProductImport>(`${imports}?${query.toString()}`, { type, body: createReadStream(file) })
    .catch((error: unknown) => {
      throw error instanceof RequestError ? explainUnknownColumns(error, mappings) : error
    })
  log(describeFile(record))
  const bar = createProgressBar(stderr, record.total, 'row')
  const isStalled = createStallDetector()
  while (['queued', 'running'].includes(record.status)) {
    await wait(POLL_MS)
    record = await client.call<ProductImport>('GET', `${imports}/${record.id}`)
    bar.update(record.processed)
    if (isStalled(record)) bar.interrupt(explainWaiting(record, await getQueueState(client, 'import-products')))
  }
  const errors: RowError[] = []
  for await (const line of client.lines(`${imports}/${record.id}/errors?as=report`)) {
    if (errors.length < MAX_PRINTED) errors.push(JSON.parse(line) as RowError)
  }
  for (const line of json ? [] : errors.flatMap(describeErrors)) log(line)
  if (!json && record.failed > errors.length) log(`… and ${(record.failed - errors.length).toLocaleString('en')} more`)
  if (failedFile !== undefined && record.failed > 0) {
    await client.download(`${imports}/${record.id}/errors`, createWriteStream(failedFile))
  }
  print({ ...record, errors }, [summarize(record, failedFile)])
  return record.status === 'done' && record.failed === 0 ? 0 : 1
}

function mediaTypeOf(file: string): string {
  const extension = file.toLowerCase().replace(/\.gz$/, '').split('.').at(-1)!
  const type = MEDIA_TYPES[extension]
  if (type !== undefined) return type
  const hint = file.endsWith('.json') ? " Convert a JSON array to lines with jq -c '.[]'." : ''
  throw new UsageError(`${file} must be a .csv, .tsv, .ndjson or .jsonl file, optionally with .gz.${hint}`)
}

/** Checked before the import starts. Throws a UsageError. */
async function assertWritable(failedFile: string, file: string): Promise<void> {
  if (path.resolve(failedFile) === path.resolve(file)) {
    throw new UsageError('--failed must not be the imported file. Choose another file.')
  }
  const existing = await stat(failedFile).catch(() => null)
  const isWritable = await access(existing === null ? path.dirname(failedFile) : failedFile, constants.W_OK).then(
    () => true,
    () => false
  )
  if (!isWritable || existing?.isDirectory() === true) {
    throw new UsageError(`Cannot write to ${failedFile}. Choose another file for --failed.`)
  }
}

const COLUMNS: Record<ImportDialect, string> = {
  own: 'field names as columns',
  shopify: 'Shopify columns',
  woocommerce: 'WooCommerce columns',
  google: 'Google Merchant columns',
  mapped: 'assigned columns'
}
const ENCODINGS: Record<Encoding, string> = {
  'utf-8': 'UTF-8',
  'utf-8-bom': 'UTF-8 with BOM',
  'windows-1252': 'Windows-1252'
}

function describeFile({ file, total }: ProductImport): string {
  const { format, dialect, delimiter, encoding, lineEnd } = file
  const csv = dialect === null ? '' : `, ${COLUMNS[dialect]}, delimiter ${JSON.stringify(delimiter)}`
  const { ignoredColumns, ignoredColumnCount = ignoredColumns.length } = file
  const more = ignoredColumnCount - ignoredColumns.length
  const names = `${ignoredColumns.join(', ')}${more === 0 ? '' : `, and ${more} more`}`
  const ignored = ignoredColumnCount === 0 ? '' : `; ignored columns: ${names} (--map COLUMN:FIELD imports them)`
  const text = `${ENCODINGS[encoding]}, ${lineEnd.toUpperCase()} line endings`
  return `${countOf(total, 'row')}, ${format.toUpperCase()}${csv}, ${text}${ignored}`
}

const describeErrors = ({ line, externalId, errors }: RowError): string[] =>
  errors.map(({ pointer, message }) =>
    [`✗ line ${line}`, externalId === null ? '' : `(${externalId})`, pointer, message]
      .filter((part) => part !== '')
      .join(' ')
  )

function summarize(
  { status, processed, created, updated, unchanged, failed, failedStored, reason }: ProductImport,
  failedFile: string | undefined
): string {
  const counts = [
    `${created} created`,
    `${updated - unchanged} updated`,
    `${unchanged} unchanged`,
    `${failed} failed`
  ].join(', ')
  const outcome = status === 'cancelled' ? ' The import was canceled.' : ' The import failed.'
  // A reason is one or more sentences.
  const ending = status === 'done' ? '' : `${outcome}${reason === null ? '' : ` ${reason}`}`
  const hint = failed === 0 ? '' : ` ${describeFailed({ failed, failedStored }, failedFile)}`
  return `${countOf(processed, 'row')}: ${counts}.${ending}${hint}`
}

function describeFailed(
  { failed, failedStored }: Pick<ProductImport, 'failed' | 'failedStored'>,
  failedFile: string | undefined
): string {
  const isOne = failed === 1
  if (failedFile === undefined) {
    const [rows, them] = isOne ? ['row', 'it'] : ['rows', 'them']
    return `Use --failed FILE to save the failed ${rows}, fix ${them} and import ${them} again.`
  }
  if (failedStored < failed) {
    return `The first ${countOf(failedStored, 'failed row')} were saved to ${failedFile}; the others were only counted.`
  }
  return `The failed ${isOne ? 'row was' : 'rows were'} saved to ${failedFile}.`
}

/**
 * Returns a function that is called with each state of an import. It returns true when the import
 * made no progress for 5 seconds, and then again once a minute.
 */
export function createStallDetector(now: () => number = () => performance.now()) {
  let last = ''
  let reportAt = now() + STALLED_MS
  return ({ status, processed }: Pick<ProductImport, 'status' | 'processed'>): boolean => {
    const state = `${status} ${processed}`
    if (state !== last) reportAt = now() + STALLED_MS
    last = state
    if (now() < reportAt) return false
    reportAt = now() + REPEAT_MS
    return true
  }
}

/** Why an import makes no progress. `queue` null: the queue does not respond. */
export function explainWaiting({ status }: Pick<ProductImport, 'status'>, queue: QueueCounts | null): string {
  return `waiting: ${waitReason(status === 'running', queue)}`
}

function waitReason(isStarted: boolean, queue: QueueCounts | null): string {
  if (queue === null) return 'the queue does not respond; the import continues when it does'
  const { waiting, due, running } = queue
  if (running > 0 && isStarted) {
    return 'the worker of the import makes no progress; if it was killed, another worker takes over within a minute'
  }
  if (running > 0) return `the workers are busy with other imports (${running} running, ${due} due)`
  if (due > 0) return `no worker has ${isStarted ? 'resumed' : 'started'} the import; ${START_A_WORKER}`
  if (waiting > 0) return 'an attempt failed and will be retried; see the worker log'
  return `the import is not in the queue; a worker adds it within a minute. If no worker runs, ${START_A_WORKER}`
}
