import { Type, type SchemaOptions, type Static, type TSchema } from '@sinclair/typebox'

/** A time: RFC 3339, UTC, milliseconds, `Z`. */
export const Timestamp = (options: SchemaOptions = {}) => Type.String({ format: 'date-time', ...options })

/** A UUIDv7 of ours. */
export const Id = (options: SchemaOptions = {}) => Type.String({ format: 'uuid', ...options })

/** An absolute http(s) address. */
export const Url = (options: SchemaOptions = {}) => Type.String({ format: 'http-url', maxLength: 2000, ...options })

/** One of a closed list of words; `enum` keeps generated clients readable. */
export const OneOf = <const T extends readonly string[]>(values: T, options: SchemaOptions = {}) =>
  Type.Unsafe<T[number]>({ type: 'string', enum: [...values], ...options })

/** The schema or null; OpenAPI 3.1 writes it as a type array where the schema has a plain type. */
export function Nullable<T extends TSchema>(schema: T, options: SchemaOptions = {}) {
  return Type.Union([schema, Type.Null()], options)
}

/** The caller's own word for a project, unique within the account. */
export const ProjectId = (options: SchemaOptions = {}) =>
  Type.String({
    pattern: '^[A-Za-z0-9._-]{1,64}$',
    description: "The caller's own word for the project: 1–64 of A-Za-z0-9._-",
    ...options
  })

/** A BCP 47 language tag. */
export const Locale = (options: SchemaOptions = {}) =>
  Type.String({ pattern: '^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$', maxLength: 35, ...options })

/**
 * For an answer that nobody may keep; it says so itself, and the document can tell it from others.
 */
export const notStored = {
  headers: { 'Cache-Control': { type: 'string', const: 'no-store', description: 'The answer may not be kept' } }
}

/** A noun by its name: the document then has it once, and the type is the same. */
export function Ref<T extends TSchema>(noun: T, options: SchemaOptions = {}) {
  return Type.Unsafe<Static<T>>({ ...options, $ref: `${noun.$id!}#` })
}
