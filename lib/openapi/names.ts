import type { OpenApiDocument, PathItem, Schema } from './types.ts'

/** Keywords whose value is data, not a schema. */
const DATA = new Set(['enum', 'const', 'default', 'example', 'examples', 'required', 'pattern'])
/** The names of schemas, by their texts. */
interface Names {
  byKey: Map<string, string>
  outlines: Set<string>
}
/** Keywords that a reference keeps beside it: they belong to the place, not to the named schema. */
const OF_THE_PLACE = ['description', 'default', 'deprecated'] as const

/**
 * Moves inline schemas to components, so that generated clients have names for them. `names` maps the name of a
 * component to one of its places: the name of a component or an operation, then property names and `[]` for items,
 * such as `Blog/authors/[]`. A place of an operation continues with `request`, a response status, or `query` and the
 * name of a parameter. Equal schemas at other places become references too, whatever their descriptions.
 * A named schema must come before the schemas that contain it. Changes the document. Throws for an unknown place,
 * and for a schema with two names.
 */
export function nameSchemas(document: OpenApiDocument, names: Readonly<Record<string, string>>): void {
  const named: Names = { byKey: new Map(), outlines: new Set() }
  const { schemas } = document.components
  for (const [name, place] of Object.entries(names)) {
    const schema = replaceIn(bare(withoutNull(find(document, place))), named) as Schema
    if (schema.$ref !== undefined) {
      throw new Error(`The schema at ${place} has the name ${schema.$ref.split('/').at(-1)}.`)
    }
    named.byKey.set(keyOf(schema), name)
    named.outlines.add(outlineOf(schema)!)
    schemas[name] = schema
  }
  for (const [name, schema] of Object.entries(schemas)) {
    // The named schema itself must not become a reference to itself.
    schemas[name] = mapKeywords(schema, named)
  }
  for (const item of [...Object.values(document.paths), ...Object.values(document.webhooks)]) replaceInItem(item, named)
  document.components.schemas = Object.fromEntries(Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1)))
}

const isObject = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function replaceInItem(item: PathItem, named: Names): void {
  for (const { parameters = [], requestBody, responses } of Object.values(item)) {
    const bodies = [requestBody, ...Object.values(responses)].flatMap((body) =>
      body !== undefined && 'content' in body ? Object.values(body.content ?? {}) : []
    )
    for (const holder of [...bodies, ...parameters.filter((parameter) => 'schema' in parameter)]) {
      if (holder.schema !== undefined) holder.schema = replaceIn(holder.schema, named) as Schema
    }
  }
}

/** The schema with references in place of named schemas, from the inside out. */
function replaceIn(value: unknown, named: Names): unknown {
  if (Array.isArray(value)) return value.map((item) => replaceIn(item, named))
  if (!isObject(value)) return value
  const schema = mapKeywords(value, named)
  const outline = outlineOf(schema)
  if (outline === null || !named.outlines.has(outline)) return schema
  const name = named.byKey.get(keyOf(schema))
  if (name === undefined) return schema
  const reference = { $ref: `#/components/schemas/${name}` }
  const beside = Object.fromEntries(OF_THE_PLACE.filter((key) => key in schema).map((key) => [key, schema[key]]))
  return isNullable(schema) ? { anyOf: [reference, { type: 'null' }], ...beside } : { ...reference, ...beside }
}

function mapKeywords(schema: Schema, named: Names): Schema {
  const entries = Object.entries(schema).map(([keyword, value]): [string, unknown] => {
    if (DATA.has(keyword)) return [keyword, value]
    if (keyword !== 'properties' || !isObject(value)) return [keyword, replaceIn(value, named)]
    const properties = Object.entries(value).map(([name, property]) => [name, replaceIn(property, named)] as const)
    return [keyword, Object.fromEntries(properties)]
  })
  return Object.fromEntries(entries)
}

/** What is cheap to compare: the values of an enumeration, or the properties of an object. Null for other schemas. */
function outlineOf({ enum: values, properties }: Schema): string | null {
  if (Array.isArray(values)) return values.join()
  return isObject(properties) ? Object.keys(properties).sort().join() : null
}

const isNullable = ({ type }: Schema): boolean => Array.isArray(type) && type.includes('null')

function withoutNull(schema: Schema): Schema {
  if (isNullable(schema)) return { ...schema, type: (schema.type as string[]).find((type) => type !== 'null') }
  const { anyOf, ...outside } = schema
  const choices = (anyOf as Schema[] | undefined)?.filter(({ type }) => type !== 'null')
  return choices?.length === 1 ? { ...choices[0]!, ...outside } : schema
}

const bare = (schema: Schema): Schema =>
  Object.fromEntries(Object.entries(schema).filter(([key]) => !(OF_THE_PLACE as readonly string[]).includes(key)))

/** The same text for schemas that differ in descriptions only. */
const keyOf = (schema: Schema): string => JSON.stringify(sorted(withoutNull(bare(schema))))

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (!isObject(value)) return value
  const entries = Object.entries(value).filter(([key, inner]) => key !== 'description' || typeof inner !== 'string')
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, inner]) => [key, sorted(inner)]))
}

function find(document: OpenApiDocument, place: string): Schema {
  const [start, ...steps] = place.split('/')
  let schema: Schema | undefined = document.components.schemas[start!] ?? findBody(document, start!, steps)
  for (const step of steps) {
    schema = withoutNull(follow(document, schema ?? {}))
    schema = (step === '[]' ? schema.items : (schema.properties as Record<string, Schema> | undefined)?.[step]) as
      | Schema
      | undefined
  }
  if (schema === undefined) throw new Error(`The document has no schema at ${place}.`)
  return schema
}

const follow = ({ components }: OpenApiDocument, schema: Schema): Schema =>
  schema.$ref === undefined ? schema : components.schemas[schema.$ref.split('/').at(-1)!]!

/** The schema of an operation's body or parameter. Removes the steps that lead to it. */
function findBody(document: OpenApiDocument, operationId: string, steps: string[]): Schema | undefined {
  const operation = [...Object.values(document.paths), ...Object.values(document.webhooks)]
    .flatMap((item) => Object.values(item))
    .find((candidate) => candidate.operationId === operationId)
  const step = steps.shift()!
  if (operation === undefined) return undefined
  if (step === 'query') {
    const name = steps.shift()
    const parameter = operation.parameters?.find((candidate) => 'name' in candidate && candidate.name === name)
    return parameter !== undefined && 'schema' in parameter ? parameter.schema : undefined
  }
  const body = step === 'request' ? operation.requestBody : operation.responses[step]
  return body !== undefined && 'content' in body ? Object.values(body.content ?? {})[0]?.schema : undefined
}
