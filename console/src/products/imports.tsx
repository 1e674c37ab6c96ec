import { useEffect, useState } from 'preact/hooks'
import type { ImportStatus, ProductImport } from '../../../schemas/product-import.ts'
import { ApiError, call, send, withQuery } from '../api.ts'
import { formatBytes, formatNumber } from '../format.ts'
import { useAction, useQuery } from '../use-query.ts'
import { Button, DropZone } from '../ui/controls.tsx'
import {
  Badge,
  Empty,
  ErrorNotice,
  Loaded,
  Meter,
  Notice,
  Page,
  Panel,
  Table,
  Time,
  type Tone
} from '../ui/display.tsx'
import { ColumnMappingDialog } from './column-mapping.tsx'

const STATUS_TEXTS: Record<ImportStatus, string> = {
  queued: 'Queued',
  running: 'Running',
  done: 'Done',
  failed: 'Failed',
  cancelled: 'Canceled'
}
const STATUS_TONES: Record<ImportStatus, Tone> = {
  queued: 'neutral',
  running: 'info',
  done: 'good',
  failed: 'bad',
  cancelled: 'warn'
}
const POLL_MS = 1500
/** Bad rows that the table shows. The file has all of them. */
const SHOWN_ROWS = 100

const isRunning = ({ status }: ProductImport): boolean => status === 'queued' || status === 'running'

/** The content type of a product file. Browsers do not know NDJSON, and name CSV in several ways. */
function typeOf({ name }: File): string {
  const plain = name.toLowerCase().replace(/\.gz$/, '')
  return /\.(ndjson|jsonl)$/.test(plain) ? 'application/x-ndjson' : 'text/csv'
}

/** Uploads product files, and lists the imports of a project. */
export function Imports({ projectId }: { projectId: string }) {
  const list = useQuery<{ imports: ProductImport[] }>(
    withQuery('/api/v1/products/imports', { projectId, pageSize: 20 }),
    ({ imports }) => (imports.some(isRunning) ? POLL_MS : null)
  )
  const [unknown, setUnknown] = useState<{ file: File; columns: string[] } | null>(null)
  const sendFile = async (file: File, map: string[] = []): Promise<void> => {
    const query = new URLSearchParams([['projectId', projectId], ...map.map((pair) => ['map', pair])])
    await call('POST', `/api/v1/products/imports?${query}`, {
      upload: new Blob([file], { type: typeOf(file) }),
      headers: file.name.toLowerCase().endsWith('.gz') ? { 'content-encoding': 'gzip' } : {}
    })
    list.reload()
  }
  const upload = useAction(async (files: File[]) => {
    if (projectId === '') throw new Error('Choose the project of the products first.')
    for (const file of files) {
      try {
        await sendFile(file)
      } catch (error) {
        const columns = columnsOf(error)
        if (columns === null) throw error
        setUnknown({ file, columns })
        return
      }
    }
  })
  return (
    <div class="stack">
      <DropZone
        label={upload.isRunning ? 'Uploading…' : 'Import a product file'}
        hint="CSV (also of Shopify, WooCommerce or Google Merchant) or NDJSON, up to 1 GB, optionally as .gz"
        accept=".csv,.ndjson,.jsonl,.gz,.tsv,.txt"
        onFiles={(files) => void upload.run(files)}
      />
      <ErrorNotice error={upload.error} />
      {unknown !== null && (
        <ColumnMappingDialog
          filename={unknown.file.name}
          columns={unknown.columns}
          onImport={async (map) => await sendFile(unknown.file, map)}
          onClose={() => setUnknown(null)}
        />
      )}
      <Loaded query={list}>
        {({ imports }) =>
          imports.length === 0 ? (
            <Empty title="Nothing was imported yet.">
              <p>Drop a file above. Products are created or updated by their external id.</p>
            </Empty>
          ) : (
            <Table
              label="Imports"
              head={[
                'Import',
                'State',
                { text: 'Rows', numeric: true },
                { text: 'Created', numeric: true },
                { text: 'Updated', numeric: true },
                { text: 'Bad rows', numeric: true },
                'Started'
              ]}
            >
              {imports.map((item) => (
                <tr key={item.id}>
                  <td>
                    <a href={`#/products/imports/${item.id}`}>{fileText(item)}</a>
                    <span class="sub">{item.projectId}</span>
                  </td>
                  <td>
                    <Badge tone={STATUS_TONES[item.status]}>{STATUS_TEXTS[item.status]}</Badge>
                    {isRunning(item) && <Progress item={item} />}
                  </td>
                  <td class="numeric">{formatNumber(item.total)}</td>
                  <td class="numeric">{formatNumber(item.created)}</td>
                  <td class="numeric">{formatNumber(item.updated)}</td>
                  <td class="numeric">{formatNumber(item.failed)}</td>
                  <td class="nowrap">
                    <Time at={item.createdAt} />
                  </td>
                </tr>
              ))}
            </Table>
          )
        }
      </Loaded>
    </div>
  )
}

/** The columns of a file that has none for the required fields; null for other errors. */
function columnsOf(error: unknown): string[] | null {
  if (!(error instanceof ApiError) || error.problem?.code !== 'unknown_columns') return null
  const { columns } = error.problem as { columns?: string[] }
  return columns ?? null
}

const DIALECTS = { own: '', shopify: 'Shopify ', woocommerce: 'WooCommerce ', google: 'Google Merchant ', mapped: '' }

const fileText = ({ file }: ProductImport): string =>
  `${file.dialect === null ? '' : DIALECTS[file.dialect]}${file.format.toUpperCase()}, ${formatBytes(file.bytes)}`

function Progress({ item }: { item: ProductImport }) {
  return (
    <span class="sub">
      <Meter label="Progress" used={item.processed} limit={Math.max(1, item.total)} isGood />
      {item.etaSeconds !== null && `${item.etaSeconds} s left`}
    </span>
  )
}

interface BadRow {
  line: number
  externalId: string | null
  errors: { pointer: string; message: string }[]
}

/** One import: its progress, and its bad rows as a table and as files. */
export function ImportPage({ id }: { id: string }) {
  const path = `/api/v1/products/imports/${id}`
  const query = useQuery<ProductImport>(path, (item) => (isRunning(item) ? POLL_MS : null))
  const cancel = useAction(async () => {
    query.setData(await call<ProductImport>('POST', `${path}/cancel`))
  })
  return (
    <Page
      title="Import"
      parent={{ href: '/products?view=imports', text: 'Imports' }}
      badge={
        query.data !== null && <Badge tone={STATUS_TONES[query.data.status]}>{STATUS_TEXTS[query.data.status]}</Badge>
      }
      actions={
        query.data !== null &&
        isRunning(query.data) && (
          <Button look="danger" busy={cancel.isRunning} onClick={() => void cancel.run()}>
            Cancel import
          </Button>
        )
      }
    >
      <ErrorNotice error={cancel.error} />
      <Loaded query={query}>
        {(item) => (
          <>
            {item.reason !== null && <Notice tone="bad">{item.reason}</Notice>}
            <dl class="tiles">
              {(
                [
                  ['Rows', item.total],
                  ['Processed', item.processed],
                  ['Created', item.created],
                  ['Updated', item.updated],
                  ['Unchanged', item.unchanged],
                  ['Bad rows', item.failed]
                ] as const
              ).map(([name, value]) => (
                <div key={name}>
                  <dt>{name}</dt>
                  <dd>{formatNumber(value)}</dd>
                </div>
              ))}
            </dl>
            {isRunning(item) && <Meter label="Progress" used={item.processed} limit={Math.max(1, item.total)} isGood />}
            {item.failed > 0 && !isRunning(item) && <BadRows id={id} item={item} />}
            <Panel title="File">
              <dl class="facts">
                <dt>Project</dt>
                <dd>{item.projectId}</dd>
                <dt>Format</dt>
                <dd>{fileText(item)}</dd>
                <dt>Encoding</dt>
                <dd>{item.file.encoding}</dd>
                {item.file.ignoredColumns.length > 0 && (
                  <>
                    <dt>Ignored columns</dt>
                    <dd>{item.file.ignoredColumns.join(', ')}</dd>
                  </>
                )}
              </dl>
            </Panel>
          </>
        )}
      </Loaded>
    </Page>
  )
}

function BadRows({ id, item }: { id: string; item: ProductImport }) {
  const [rows, setRows] = useState<BadRow[] | null>(null)
  const path = `/api/v1/products/imports/${id}/errors`
  const load = useAction(async () => {
    const text = await (await send('GET', withQuery(path, { as: 'report' }))).text()
    const lines = text.split('\n').filter((line) => line !== '')
    setRows(lines.slice(0, SHOWN_ROWS).map((line) => JSON.parse(line) as BadRow))
  })
  const download = useAction(async (as: 'rows' | 'report') => {
    const response = await send('GET', withQuery(path, { as }))
    const isCsv = response.headers.get('content-type')?.includes('csv') === true
    saveFile(await response.blob(), as === 'report' ? 'errors.ndjson' : `bad-rows.${isCsv ? 'csv' : 'ndjson'}`)
  })
  useEffect(() => void load.run(), [])
  return (
    <Panel
      title={`Bad rows: ${formatNumber(item.failed)}`}
      actions={
        <span class="row">
          <Button onClick={() => void download.run('rows')}>Download rows to fix</Button>
          <Button onClick={() => void download.run('report')}>Download errors</Button>
        </span>
      }
    >
      {(load.error ?? download.error) !== null && <ErrorNotice error={load.error ?? download.error} />}
      {rows !== null && (
        <Table label="Bad rows" head={['Row', 'External id', 'Errors']}>
          {rows.map((row) => (
            <tr key={row.line}>
              <td class="line">Line {formatNumber(row.line)}</td>
              <td class="mono">{row.externalId}</td>
              <td class="wide">
                {row.errors.map(({ pointer, message }) => (
                  <div key={pointer + message}>
                    <code>{pointer}</code> {message}
                  </div>
                ))}
              </td>
            </tr>
          ))}
        </Table>
      )}
      {rows !== null && item.failed > rows.length && (
        <p class="muted small">The first {rows.length} are shown. The files have all that the service stored.</p>
      )}
    </Panel>
  )
}

/** Saves a file that was fetched with the credential. */
function saveFile(blob: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(blob)
  link.download = name
  link.click()
  URL.revokeObjectURL(link.href)
}
