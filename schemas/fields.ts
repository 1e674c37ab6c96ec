import { Type, type SchemaOptions, type Static, type TSchema } from '@sinclair/typebox'
import { MAX_URL_LENGTH } from './formats.ts'

/** An RFC 3339 time in UTC with milliseconds, ending in `Z`. */
export const Timestamp = (options: SchemaOptions = {}) => Type.String({ format: 'date-time', ...options })

/** A UUIDv7. */
export const Id = (options: SchemaOptions = {}) => Type.String({ format: 'uuid', ...options })

/** An absolute http or https URL. */
export const Url = (options: SchemaOptions = {}) =>
  Type.String({ format: 'http-url', maxLength: MAX_URL_LENGTH, ...options })

/** A title or a name: not blank, and without control characters. */
export const Label = (maxLength: number, options: SchemaOptions = {}) =>
  Type.String({ format: 'label', minLength: 1, maxLength, pattern: '\\S', ...options })

/** One of a list of words. `enum` keeps generated clients readable. */
export const OneOf = <const T extends readonly string[]>(values: T, options: SchemaOptions = {}) =>
  Type.Unsafe<T[number]>({ type: 'string', enum: [...values], ...options })

/** The schema or null; OpenAPI 3.1 writes it as a type array where the schema has a plain type. */
export function Nullable<T extends TSchema>(schema: T, options: SchemaOptions = {}) {
  return Type.Union([schema, Type.Null()], options)
}

/** A project id, chosen by the caller and unique within the account. */
export const ProjectId = (options: SchemaOptions = {}) =>
  Type.String({
    pattern: '^[A-Za-z0-9._-]{1,64}$',
    description: 'Your project id: 1 to 64 of the characters A-Z a-z 0-9 . _ -',
    ...options
  })

/** A BCP 47 language tag. */
export const Locale = (options: SchemaOptions = {}) =>
  Type.String({ pattern: '^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$', maxLength: 35, ...options })

/**
 * Marks a response as not cacheable, in the API document.
 */
export const notStored = {
  headers: { 'Cache-Control': { type: 'string', const: 'no-store', description: 'The response must not be cached' } }
}

/** A reference to a named schema, with its type. */
export function Ref<T extends TSchema>(schema: T, options: SchemaOptions = {}) {
  return Type.Unsafe<Static<T>>({ ...options, $ref: `${schema.$id!}#` })
}
