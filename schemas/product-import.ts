import { Type, type Static } from '@sinclair/typebox'
import { Id, Nullable, OneOf, ProjectId, Ref, Timestamp } from './fields.ts'
import { PageTotals } from './page.ts'
import { FieldProblem } from './problem.ts'

/** Largest upload, unpacked. */
export const IMPORT_BYTES = 1024 * 1024 * 1024
/** Longest line of NDJSON and longest record of CSV. */
export const IMPORT_ROW_BYTES = 1024 * 1024

export const IMPORT_STATUSES = ['queued', 'running', 'done', 'failed', 'cancelled'] as const
export type ImportStatus = (typeof IMPORT_STATUSES)[number]
export const IMPORT_FORMATS = ['ndjson', 'csv'] as const
export type ImportFormat = (typeof IMPORT_FORMATS)[number]
/** Whose columns a CSV has; `mapped` where the caller said which column is what. */
export const IMPORT_DIALECTS = ['own', 'shopify', 'woocommerce', 'google', 'mapped'] as const
export type ImportDialect = (typeof IMPORT_DIALECTS)[number]
export const ENCODINGS = ['utf-8', 'utf-8-bom', 'windows-1252'] as const
export type Encoding = (typeof ENCODINGS)[number]
export const LINE_ENDS = ['lf', 'crlf', 'cr'] as const
export type LineEnd = (typeof LINE_ENDS)[number]

/** What was found out about the file. */
export const ImportFile = Type.Object({
  format: OneOf(IMPORT_FORMATS),
  bytes: Type.Integer({ minimum: 0, description: 'Unpacked' }),
  encoding: OneOf(ENCODINGS),
  lineEnd: OneOf(LINE_ENDS),
  delimiter: Nullable(Type.String({ description: 'Of a CSV' })),
  dialect: Nullable(OneOf(IMPORT_DIALECTS, { description: 'Of a CSV: whose columns it has' })),
  ignoredColumns: Type.Array(Type.String(), { description: 'Columns that are not taken over' })
})
export type ImportFile = Static<typeof ImportFile>

export const ProductImport = Type.Object(
  {
    id: Id(),
    projectId: ProjectId(),
    status: OneOf(IMPORT_STATUSES),
    file: ImportFile,
    total: Type.Integer({ minimum: 0, description: 'Rows of the file' }),
    processed: Type.Integer({ minimum: 0 }),
    created: Type.Integer({ minimum: 0 }),
    updated: Type.Integer({ minimum: 0, description: 'Those included that were so already' }),
    unchanged: Type.Integer({ minimum: 0, description: 'Of updated, those that were so already' }),
    failed: Type.Integer({ minimum: 0 }),
    repeated: Type.Integer({
      minimum: 0,
      description: 'Rows whose externalId came before in the same portion; the last one wins'
    }),
    reason: Nullable(Type.String({ description: 'Why the import as a whole failed' })),
    createdAt: Timestamp(),
    startedAt: Nullable(Timestamp()),
    finishedAt: Nullable(Timestamp()),
    etaSeconds: Nullable(Type.Integer({ minimum: 0, description: 'Seconds to go, while it runs' }))
  },
  { $id: 'ProductImport' }
)
export type ProductImport = Static<typeof ProductImport>

export const ProductImportList = Type.Object(
  { imports: Type.Array(Ref(ProductImport)), ...PageTotals },
  { $id: 'ProductImportList' }
)

/** A row that failed. */
export const ImportRowError = Type.Object(
  {
    line: Type.Integer({ minimum: 1, description: 'The line of the file where the row begins, from 1' }),
    externalId: Nullable(Type.String()),
    errors: Type.Array(FieldProblem)
  },
  { $id: 'ImportRowError' }
)
