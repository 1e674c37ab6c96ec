import { createRequire } from 'node:module'
import { formats } from '../../schemas/formats.ts'
import { namedSchemas } from '../../schemas/index.ts'

/** The compiler is loaded when the first value is serialized: no start needs it. */
const require = createRequire(import.meta.url)

export type Serializer = (value: unknown) => string

type Schema = Record<string, unknown> & { $id?: string; $ref?: string; anyOf?: Schema[]; format?: string }
type CompileSerializer = (route: { schema: unknown; method: string; url: string; httpStatus: string }) => Serializer

/**
 * Compiled serializers by schema. Compiling all of them takes two thirds of the startup time, so each
 * is compiled on first use and shared by the routes with the same schema, such as those of errors.
 */
const serializers = new Map<string, Serializer>()

/**
 * The serializer of a response schema, compiled once per process. That blocks the event loop, so what the compiler
 * gets is as small as possible: 2 ms for each schema instead of 14 (mean of 76).
 */
export function serializerOf(schema: unknown): Serializer {
  const key = JSON.stringify(schema)
  let serializer = serializers.get(key)
  if (serializer === undefined) {
    const { SerializerSelector } =
      require('@fastify/fast-json-stringify-compiler') as typeof import('@fastify/fast-json-stringify-compiler')
    const prepared = withoutUnions(JSON.parse(key) as Schema)
    const options = { ajv: { formats }, compileValidators: true }
    const compile: CompileSerializer = SerializerSelector()(referencedBy(prepared), options)
    serializer = compile({ schema: prepared, method: '', url: '', httpStatus: '' })
    serializers.set(key, serializer)
  }
  return serializer
}

/**
 * Unions of a text with a format and null, by the JSON of the text. Each gets a name, so that the compiler of its
 * validator gets only the union. Else it would get the schema in which the union is, with all that this references.
 */
const nullableTexts = new Map<string, Schema & { $id: string }>()

function nullableText({ anyOf, choice }: { anyOf: Schema[]; choice: Schema }): Schema & { $id: string } {
  const key = JSON.stringify(choice)
  const known = nullableTexts.get(key) ?? { $id: `NullableText${nullableTexts.size}`, anyOf }
  nullableTexts.set(key, known)
  return known
}

/** A copy of a named schema. The compiler changes schemas. */
function copyOf(name: string): Schema {
  for (const nullable of nullableTexts.values()) {
    if (nullable.$id === name) return structuredClone(nullable)
  }
  const named = namedSchemas.find(({ $id }) => $id === name)
  if (named === undefined) throw new Error(`There is no schema with the name ${name}`)
  return withoutUnions(JSON.parse(JSON.stringify(named)) as Schema)
}

const nameIn = (reference: string): string => reference.split('#', 1)[0]!

/**
 * The schema with `nullable` where it is a union with null. Serializers of unions choose by validating the value, and
 * compiling the validators takes most of the time. Texts with a format stay unions: a record whose time is invalid
 * must not be sent (see `partial-list.ts`), and only validators notice it.
 */
function withoutUnions<T>(part: T): T {
  if (Array.isArray(part)) return part.map((each: unknown) => withoutUnions(each)) as T
  if (typeof part !== 'object' || part === null) return part
  const { anyOf, ...rest } = part as Schema
  const choices = anyOf?.filter(({ type }) => type !== 'null')
  const choice = choices?.length === 1 && anyOf?.length === 2 ? choices[0]! : undefined
  if (choice?.format !== undefined) return { $ref: `${nullableText({ anyOf: anyOf!, choice }).$id}#` } as T
  if (choice !== undefined) {
    const { $id: _name, ...schema } = choice.$ref === undefined ? choice : copyOf(nameIn(choice.$ref))
    return { ...rest, ...withoutUnions(schema), nullable: true } as T
  }
  return Object.fromEntries(Object.entries(part).map(([key, value]) => [key, withoutUnions(value as unknown)])) as T
}

/** The named schemas that a schema references, also by way of others. The compiler processes all that it gets. */
function referencedBy(schema: Schema): Record<string, Schema> {
  const found: Record<string, Schema> = {}
  const unread: unknown[] = [schema]
  while (unread.length > 0) {
    const part = unread.pop()
    if (typeof part !== 'object' || part === null) continue
    const { $ref: reference } = part as Schema
    if (typeof reference === 'string' && !(nameIn(reference) in found)) {
      const named = copyOf(nameIn(reference))
      found[nameIn(reference)] = named
      unread.push(named)
    }
    unread.push(...Object.values(part))
  }
  return found
}
