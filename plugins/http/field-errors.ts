import type { FastifySchemaValidationError } from 'fastify/types/schema.js'
import type { FieldError } from '../../errors.ts'

const MOST = 50

/**
 * What a schema found wrong, one entry a field: where, the rule's name, and a sentence that names
 * the way out.
 */
export function fieldErrors(found: FastifySchemaValidationError[], context: string): FieldError[] {
  // A nullable field is written as a choice between its schema and null; what matters is what is
  // wrong with the schema.
  const telling = found.filter(
    ({ keyword, params }) => !(keyword === 'anyOf' || (keyword === 'type' && params.type === 'null'))
  )
  return (telling.length > 0 ? telling : found).slice(0, MOST).map((error) => one(error, context))
}

function one({ keyword, instancePath, params, message }: FastifySchemaValidationError, context: string): FieldError {
  const place = (name?: string) => {
    const path = instancePath + (name === undefined ? '' : `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`)
    return context === 'body' ? path : path.slice(1)
  }
  switch (keyword) {
    case 'additionalProperties':
      return {
        pointer: place(String(params.additionalProperty)),
        code: 'unknown_field',
        message: 'is not known here; leave it out'
      }
    case 'required':
      return { pointer: place(String(params.missingProperty)), code: 'required', message: 'is required' }
    case 'enum':
      return {
        pointer: place(),
        code: 'not_allowed',
        message: `must be one of ${(params.allowedValues as string[]).join(', ')}`
      }
    case 'pattern':
      return { pointer: place(), code: 'pattern', message: `must match ${String(params.pattern)}` }
    case 'format':
      return {
        pointer: place(),
        code: 'format',
        message: FORMATS[String(params.format)] ?? `must be a ${String(params.format)}`
      }
    case 'type':
      return { pointer: place(), code: 'type', message: `must be of type ${String(params.type)}` }
    default:
      return { pointer: place(), code: keyword, message: message ?? 'is not valid' }
  }
}

const FORMATS: Record<string, string> = {
  'date-time': 'must be a time such as 2026-01-31T09:00:00Z (RFC 3339, with an offset)',
  'http-url': 'must be an absolute http or https address without user name and password',
  uuid: 'must be a UUID'
}
