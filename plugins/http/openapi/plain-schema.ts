import type { Schema } from './types.ts'

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Formats of ours in the words of the JSON Schema registry. */
const FORMATS: Record<string, string> = { 'http-url': 'uri' }
/** Keywords whose value is data and not a schema. */
const DATA = new Set(['enum', 'const', 'default', 'example', 'examples', 'required'])
/** Keywords whose value is a table of schemas: its keys are names and not keywords. */
const TABLES = new Set(['properties', '$defs', 'patternProperties'])

/**
 * A schema as OpenAPI 3.1 writes it best: without our own formats, and with null in the type where
 * that says it all.
 */
export function plainSchema(schema: Schema): Schema {
  const plain: Schema = {}
  for (const [keyword, value] of Object.entries(schema)) plain[keyword] = plainValue(keyword, value)
  if (typeof plain.format === 'string') plain.format = FORMATS[plain.format] ?? plain.format
  return nullInType(plain)
}

function plainValue(keyword: string, value: unknown): unknown {
  if (DATA.has(keyword)) return value
  if (Array.isArray(value)) return value.map((item) => (isObject(item) ? plainSchema(item) : item))
  if (!isObject(value)) return value
  if (TABLES.has(keyword)) {
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, plainSchema(item as Schema)]))
  }
  return plainSchema(value)
}

/**
 * `anyOf: [{type: T, …}, {type: null}]` as `type: [T, null]`; an enum would have to name null as
 * well, so it stays a choice.
 */
function nullInType(schema: Schema): Schema {
  const { anyOf, ...outside } = schema
  if (!Array.isArray(anyOf) || anyOf.length !== 2) return schema
  const inside = (anyOf as Schema[]).filter(({ type }) => type !== 'null')
  const only = inside[0]
  if (inside.length !== 1 || only === undefined || typeof only.type !== 'string' || 'enum' in only || 'const' in only) {
    return schema
  }
  return { ...only, ...outside, type: [only.type, 'null'] }
}
