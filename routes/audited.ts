import type { FastifyContextConfig, FastifyRequest } from 'fastify'
import type { ProductBatchResult } from '../schemas/product.ts'
import type { ImportFile } from '../schemas/product-import.ts'

/*
 * How changes of several routes appear in the audit log. Imports and batches are one entry each,
 * however many products they change.
 */

type AuditRuleOf = Extract<FastifyContextConfig['audit'], (...args: never[]) => unknown>

const projectOf = (request: FastifyRequest): string => (request.body as { projectId: string }).projectId

/** A product file, or a batch that is processed in the background. */
export const auditImport: AuditRuleOf = ({ file }) => {
  const { format, bytes } = file as ImportFile
  return {
    action: 'product.import_started',
    target: { type: 'import' },
    changes: [
      { field: 'format', to: format },
      { field: 'bytes', to: bytes }
    ]
  }
}

/** A batch of products. Null for a dry run, and if no product has changed. */
export const auditBatch: AuditRuleOf = (record, request) => {
  if (record.file !== undefined) return auditImport(record, request)
  const { created, updated, unchanged } = record as unknown as ProductBatchResult
  const changed = updated - unchanged
  if ((request.query as { dryRun?: boolean }).dryRun === true || created + changed === 0) return null
  return {
    action: 'product.batch_imported',
    target: { type: 'project', id: projectOf(request) },
    changes: [
      { field: 'created', to: created },
      { field: 'updated', to: changed }
    ]
  }
}

/** A request to optimize products. Null if none was queued. */
export const auditOptimization: AuditRuleOf = ({ queued }, request) =>
  queued === 0
    ? null
    : {
        action: 'product.optimization_requested',
        target: { type: 'project', id: projectOf(request) },
        changes: [{ field: 'queued', to: queued as number }]
      }
