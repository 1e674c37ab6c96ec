import { Type, type Static } from '@sinclair/typebox'
import { Id, Nullable, OneOf, ProjectId, Ref, Timestamp } from './fields.ts'
import { PageTotals } from './page.ts'
import { FieldProblem } from './problem.ts'

/** Maximum size of an upload, uncompressed. */
export const IMPORT_BYTES = 1024 * 1024 * 1024
/**
 * Maximum ratio of the uncompressed to the compressed size of an upload. Product data is compressed
 * 5 to 50 times. Only applies beyond `RATIO_EXEMPT_BYTES`.
 */
export const MAX_COMPRESSION_RATIO = 200
/** Uncompressed bytes of an upload that are accepted at any compression ratio. */
export const RATIO_EXEMPT_BYTES = 10 * 1024 * 1024
/** Failed rows of an import that are stored. Further ones are only counted. */
export const MAX_STORED_FAILED_ROWS = 10_000
/** Maximum length of an NDJSON line and of a CSV record. */
export const IMPORT_ROW_BYTES = 1024 * 1024

export const IMPORT_STATUSES = ['queued', 'running', 'done', 'failed', 'cancelled'] as const
export type ImportStatus = (typeof IMPORT_STATUSES)[number]
export const IMPORT_FORMATS = ['ndjson', 'csv'] as const
export type ImportFormat = (typeof IMPORT_FORMATS)[number]
/** The column layouts of CSV files. `mapped`: the caller assigned the columns. */
export const IMPORT_DIALECTS = ['own', 'shopify', 'woocommerce', 'google', 'mapped'] as const
export type ImportDialect = (typeof IMPORT_DIALECTS)[number]
export const ENCODINGS = ['utf-8', 'utf-8-bom', 'windows-1252'] as const
export type Encoding = (typeof ENCODINGS)[number]
export const LINE_ENDS = ['lf', 'crlf', 'cr'] as const
export type LineEnd = (typeof LINE_ENDS)[number]

/** The detected properties of the file. */
export const ImportFile = Type.Object({
  format: OneOf(IMPORT_FORMATS),
  bytes: Type.Integer({ minimum: 0, description: 'The uncompressed size' }),
  encoding: OneOf(ENCODINGS),
  lineEnd: OneOf(LINE_ENDS),
  delimiter: Nullable(Type.String({ description: 'The delimiter of a CSV file' })),
  dialect: Nullable(OneOf(IMPORT_DIALECTS, { description: 'The column layout of a CSV file' })),
  ignoredColumns: Type.Array(Type.String(), {
    description: 'The first ignored columns: up to 100 names, with 10,000 characters together'
  }),
  ignoredColumnCount: Type.Optional(
    Type.Integer({
      minimum: 0,
      description: 'The number of all ignored columns. Absent in imports of earlier versions'
    })
  )
})
export type ImportFile = Static<typeof ImportFile>

export const ProductImport = Type.Object(
  {
    id: Id(),
    projectId: ProjectId(),
    status: OneOf(IMPORT_STATUSES),
    file: ImportFile,
    total: Type.Integer({ minimum: 0, description: 'The number of rows' }),
    processed: Type.Integer({ minimum: 0 }),
    created: Type.Integer({ minimum: 0 }),
    updated: Type.Integer({ minimum: 0, description: 'Including unchanged products' }),
    unchanged: Type.Integer({ minimum: 0, description: 'The updated products that have not changed' }),
    failed: Type.Integer({ minimum: 0 }),
    failedStored: Type.Integer({
      minimum: 0,
      maximum: MAX_STORED_FAILED_ROWS,
      description: 'The failed rows that can be downloaded: the first 10,000. Further failed rows are only counted'
    }),
    repeated: Type.Integer({
      minimum: 0,
      description: 'Rows for a product that an earlier row of the same file created or changed. The last one wins'
    }),
    reason: Nullable(Type.String({ description: 'Why the import failed' })),
    createdAt: Timestamp(),
    startedAt: Nullable(Timestamp()),
    finishedAt: Nullable(Timestamp()),
    etaSeconds: Nullable(Type.Integer({ minimum: 0, description: 'The estimated number of seconds until the end' }))
  },
  { $id: 'ProductImport' }
)
export type ProductImport = Static<typeof ProductImport>

export const ProductImportList = Type.Object(
  { imports: Type.Array(Ref(ProductImport)), ...PageTotals },
  { $id: 'ProductImportList' }
)

/** A failed row. */
export const ImportRowError = Type.Object(
  {
    line: Type.Integer({ minimum: 1, description: 'The first line of the row in the file, from 1' }),
    externalId: Nullable(Type.String()),
    errors: Type.Array(FieldProblem)
  },
  { $id: 'ImportRowError' }
)
