import type { FastifySchemaValidationError } from 'fastify/types/schema.js'
import type { FieldError } from '../../errors.ts'
import { CONTROL_CHARACTERS } from '../../schemas/formats.ts'
import { patternMessage } from '../../schemas/patterns.ts'

const MAX_ERRORS = 50
/** Names of fields come from the client and may have any length. */
const MAX_POINTER_CHARACTERS = 500

const FORMATS: Record<string, string> = {
  'date-time': 'must be a time such as 2026-01-31T09:00:00Z (RFC 3339, with an offset, in the years 0001 to 9999)',
  'http-url': 'must be an absolute http or https URL without a user name and password',
  uuid: 'must be a UUID'
}

/** By the `type` of JSON Schema. */
const TYPES: Record<string, string> = {
  string: 'a string',
  integer: 'an integer',
  number: 'a number',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
  null: 'null'
}

const countOf = (count: number, name: string) => `${count} ${name}${count === 1 ? '' : 's'}`
const atLeast = (name: string) => (limit: number) =>
  limit === 1 ? 'must not be empty' : `must have at least ${countOf(limit, name)}`
const atMost = (name: string) => (limit: number) => `must have at most ${countOf(limit, name)}`

/** By keyword of JSON Schema. */
const LIMITS: Record<string, (limit: number) => string> = {
  minLength: atLeast('character'),
  maxLength: atMost('character'),
  minItems: atLeast('item'),
  maxItems: atMost('item'),
  minProperties: atLeast('field'),
  maxProperties: atMost('field'),
  minimum: (limit) => `must be at least ${limit}`,
  maximum: (limit) => `must be at most ${limit}`,
  uniqueItems: () => 'must not contain the same item twice'
}

/** A parameter of a query is a text, or an array if it is repeated. */
function typeMessage(type: string, context: string): string {
  if (context === 'querystring' && type === 'string') return 'must be given only once'
  const expected = type
    .split(',')
    .map((one) => TYPES[one] ?? one)
    .join(' or ')
  return `must be ${context === 'querystring' ? expected.replace(/^an? (?=integer|number)/, 'a single ') : expected}`
}

/**
 * The validation errors of a schema as field errors. Pointers into a body are RFC 6901 pointers;
 * for queries, paths and headers they are parameter names.
 */
export function toFieldErrors(errors: FastifySchemaValidationError[], context: string): FieldError[] {
  // A nullable field is a choice between its schema and null. Only the errors of its schema matter.
  const relevant = errors.filter(
    ({ keyword, params }) => !(keyword === 'anyOf' || (keyword === 'type' && params.type === 'null'))
  )
  return (relevant.length > 0 ? relevant : errors).slice(0, MAX_ERRORS).map((error) => toFieldError(error, context))
}

function toFieldError(error: FastifySchemaValidationError, context: string): FieldError {
  const { keyword, instancePath, params, message } = error
  const pointer = (name?: string) => {
    // Cut first: escaping a megabyte takes a tenth of a second.
    const cut = (text: string) => text.slice(0, MAX_POINTER_CHARACTERS)
    const path =
      cut(instancePath) + (name === undefined ? '' : `/${cut(name).replaceAll('~', '~0').replaceAll('/', '~1')}`)
    const shown = path.length > MAX_POINTER_CHARACTERS ? `${cut(path)}…` : path
    return context === 'body' ? shown : shown.slice(1)
  }
  switch (keyword) {
    case 'additionalProperties':
      return {
        pointer: pointer(String(params.additionalProperty)),
        code: 'unknown_field',
        message: 'is an unknown field; remove it'
      }
    case 'required':
      return { pointer: pointer(String(params.missingProperty)), code: 'required', message: 'is required' }
    case 'enum':
      return {
        pointer: pointer(),
        code: 'not_allowed',
        message: `must be one of ${(params.allowedValues as string[]).join(', ')}`
      }
    case 'pattern':
      return { pointer: pointer(), code: 'pattern', message: patternMessage(String(params.pattern)) }
    case 'format':
      if (params.format === 'label') return { pointer: pointer(), ...CONTROL_CHARACTERS }
      return {
        pointer: pointer(),
        code: 'format',
        message: FORMATS[String(params.format)] ?? `must be a ${String(params.format)}`
      }
    case 'type':
      return { pointer: pointer(), code: 'type', message: typeMessage(String(params.type), context) }
    default:
      return {
        pointer: pointer(),
        code: keyword,
        message: LIMITS[keyword]?.(Number(params.limit)) ?? message ?? 'is invalid'
      }
  }
}
