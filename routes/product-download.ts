import { Readable } from 'node:stream'
import { Type } from '@sinclair/typebox'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { OneOf } from '../schemas/fields.ts'

type Imports = FastifyInstance['services']['imports']
type ImportRecord = Awaited<ReturnType<Imports['read']>>

export const downloadQuery = Type.Object(
  {
    as: Type.Optional(
      OneOf(['rows', 'report'], {
        default: 'rows',
        description:
          '`rows`: the failed rows, to fix and upload again. `report`: NDJSON lines `{line, externalId, errors}`'
      })
    )
  },
  { additionalProperties: false }
)

/**
 * Sets the response headers and returns the stored failed rows of an import as a stream.
 * `X-Omitted-Records` is the number of failed rows that were only counted.
 */
export function failedRowsDownload(
  imports: Imports,
  {
    record,
    as,
    reply
  }: { record: ImportRecord; as: 'rows' | 'report' | undefined; reply: Pick<FastifyReply, 'header'> }
): never {
  const report = as === 'report'
  const csv = !report && record.file.format === 'csv'
  reply.header('content-type', csv ? 'text/csv; charset=utf-8' : 'application/x-ndjson')
  reply.header('cache-control', 'no-store')
  reply.header('content-disposition', `attachment; filename="failed-rows-${record.id}.${csv ? 'csv' : 'ndjson'}"`)
  const omitted = imports.omittedFailedRows(record)
  if (omitted > 0) reply.header('x-omitted-records', omitted)
  // The type provider expects the response schema, not the stream.
  return Readable.from(report ? imports.report(record) : imports.failedRows(record)) as never
}
