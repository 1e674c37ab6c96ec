import { createReadStream, createWriteStream } from 'node:fs'
import { access, constants, stat } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Static } from '@sinclair/typebox'
import type { ImportRowError, ProductImport } from '../../schemas/product-import.ts'
import { accountPath } from './account-lines.ts'
import { UsageError, text, type Command } from './command.ts'
import { createImportWatch, importWaiting } from './import-waiting.ts'
import { createProgressBar } from './progress-bar.ts'
import { queueState } from './queue-state.ts'

/** How often the import is asked how far it is. */
const LOOK_MS = 300
/** Bad rows that are printed; `--failed` has them all. */
const MOST_PRINTED = 50
const TYPES: Record<string, string> = {
  csv: 'text/csv',
  tsv: 'text/csv',
  txt: 'text/csv',
  ndjson: 'application/x-ndjson',
  jsonl: 'application/x-ndjson'
}

type RowError = Static<typeof ImportRowError>

export const importProducts: Command = {
  usage: 'import products FILE [--project P] [--account A] [--map COLUMN:FIELD,…] [--failed FILE]',
  summary:
    'Import NDJSON or CSV (ours, Shopify, WooCommerce, Google Merchant), packed with gzip or not; --failed writes the bad rows to be mended',
  options: {
    project: { type: 'string' },
    account: { type: 'string' },
    map: { type: 'string' },
    failed: { type: 'string' }
  },
  async run({ words: [file], values, operator, tell, note, json }) {
    if (file === undefined || !(await stat(file).catch(() => null))?.isFile()) {
      throw new UsageError(`${file ?? 'FILE'} is not a file.`)
    }
    const type = TYPES[file.toLowerCase().replace(/\.gz$/, '').split('.').at(-1)!]
    if (type === undefined) {
      throw new UsageError(
        `${file} is neither .csv, .tsv, .ndjson nor .jsonl (each with or without .gz)${file.endsWith('.json') ? "; of a JSON array make lines with jq -c '.[]'" : ''}.`
      )
    }
    const failedFile = text(values, 'failed')
    if (failedFile !== undefined) await assertWritable(failedFile, file)
    const query = new URLSearchParams({ projectId: text(values, 'project', 'default') })
    for (const pair of text(values, 'map', '')
      .split(',')
      .filter((pair) => pair !== '')) {
      query.append('map', pair)
    }
    const imports = `${accountPath(text(values, 'account', 'demo'))}/products/imports`
    const service = await operator()
    let record = await service.upload<ProductImport>(`${imports}?${query.toString()}`, {
      type,
      body: createReadStream(file)
    })
    note(described(record))
    const bar = createProgressBar(record.total, 'rows')
    const isWaiting = createImportWatch()
    while (['queued', 'running'].includes(record.status)) {
      await wait(LOOK_MS)
      record = await service.call<ProductImport>('GET', `${imports}/${record.id}`)
      bar.update(record.processed)
      if (isWaiting(record)) bar.interrupt(importWaiting(record, await queueState(service, 'import-products')))
    }
    const bad: RowError[] = []
    for await (const line of service.lines(`${imports}/${record.id}/errors?as=report`)) {
      if (bad.length < MOST_PRINTED) bad.push(JSON.parse(line) as RowError)
    }
    for (const line of json ? [] : bad.flatMap(sentences)) note(line)
    if (!json && record.failed > bad.length) note(`… and ${record.failed - bad.length} more`)
    if (failedFile !== undefined && record.failed > 0) {
      await service.download(`${imports}/${record.id}/errors`, createWriteStream(failedFile))
    }
    tell({ ...record, errors: bad }, summary(record, failedFile))
    return record.status === 'done' && record.failed === 0 ? 0 : 1
  }
}

function described({ file, total }: ProductImport): string {
  const csv = file.format === 'csv' ? `, ${file.dialect} columns, separated by ${JSON.stringify(file.delimiter)}` : ''
  const ignored = file.ignoredColumns.length === 0 ? '' : `; not taken over: ${file.ignoredColumns.join(', ')}`
  return `${total} rows, ${file.format}${csv}, ${file.encoding}, ${file.lineEnd} line ends${ignored}`
}

/** What cannot be written is told before the import, not after it. Throws UsageError. */
async function assertWritable(failedFile: string, file: string): Promise<void> {
  if (path.resolve(failedFile) === path.resolve(file)) {
    throw new UsageError('--failed names the file that is imported; name another one.')
  }
  const there = await stat(failedFile).catch(() => null)
  const mayWrite = await access(there === null ? path.dirname(failedFile) : failedFile, constants.W_OK).then(
    () => true,
    () => false
  )
  if (!mayWrite || there?.isDirectory() === true) throw new UsageError(`--failed ${failedFile} cannot be written.`)
}

const sentences = ({ line, externalId, errors }: RowError) =>
  errors.map(({ pointer, message }) =>
    [`✗ line ${line}`, externalId === null ? '' : `(${externalId})`, pointer, message]
      .filter((part) => part !== '')
      .join(' ')
  )

function summary(
  { status, processed, created, updated, unchanged, failed, reason }: ProductImport,
  failedFile: string | undefined
): string[] {
  const ending = status === 'done' ? '' : ` The import is ${status}${reason === null ? '' : `: ${reason}`}.`
  const rest =
    failed === 0
      ? ''
      : failedFile === undefined
        ? ' --failed FILE writes the failed rows to be mended and sent again.'
        : ` The failed rows are in ${failedFile}.`
  return [
    `${processed} rows: ${created} created, ${updated - unchanged} updated, ${unchanged} unchanged, ${failed} failed.${ending}${rest}`
  ]
}
