import t from 'tap'
import { serializerOf } from '../../../plugins/validation/serializers.ts'
import { schemaExamples } from '../../../schemas/examples.ts'
import { namedSchemas } from '../../../schemas/index.ts'

interface Schema {
  $id?: string
  $ref?: string
  type?: string
  anyOf?: Schema[]
  properties?: Record<string, Schema>
  items?: Schema
}

const serialize = (schema: object, value: unknown): unknown => JSON.parse(serializerOf(schema)(value))
const resolved = (schema: Schema): Schema =>
  schema.$ref === undefined ? schema : namedSchemas.find(({ $id }) => `${$id}#` === schema.$ref)!

/** Copies of a value, each with one of its nullable fields replaced by null. */
function* withNulls(schema: Schema, value: unknown): Generator<unknown> {
  const { anyOf, properties, items } = resolved(schema)
  if (anyOf?.some(({ type }) => type === 'null') === true) yield null
  const inner = anyOf?.find(({ type }) => type !== 'null')
  if (inner !== undefined) yield* withNulls(inner, value)
  if (Array.isArray(value) && items !== undefined && value.length > 0) {
    for (const changed of withNulls(items, value[0])) yield [changed, ...value.slice(1)]
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, field] of Object.entries(properties ?? {})) {
      if (!(name in value)) continue
      for (const changed of withNulls(field, value[name as never])) yield { ...value, [name]: changed }
    }
  }
}

t.test('every named schema serializes its example, also with each nullable field as null', async (t) => {
  let nulls = 0
  for (const schema of namedSchemas) {
    const example = schemaExamples[schema.$id!]
    // Serializers insert the defaults of requests.
    if (example === undefined || /(?:Input|Request)$/.test(schema.$id!)) continue
    const reference = { $ref: `${schema.$id}#` }
    t.same(serialize(reference, example), example, schema.$id!)
    for (const changed of withNulls(reference, example)) {
      nulls++
      t.same(serialize(reference, changed), changed, `${schema.$id}: ${JSON.stringify(changed).slice(0, 80)}`)
    }
  }
  t.ok(nulls > 100, `${nulls} nullable fields`)
})

t.test('fields that a schema does not have are left out, also of nullable objects', async (t) => {
  const inner = { type: 'object', properties: { name: { type: 'string' } } }
  const schema = { type: 'object', properties: { inner: { anyOf: [inner, { type: 'null' }] } } }
  t.same(serialize(schema, { inner: { name: 'a', secret: 'b' }, secret: 'c' }), { inner: { name: 'a' } })
  t.same(serialize(schema, { inner: null }), { inner: null })
  t.same(serialize(schema, {}), {})
})

t.test('a nullable time that is invalid is not serialized', async (t) => {
  const time = { type: 'string', format: 'date-time' }
  const schema = { type: 'object', properties: { at: { anyOf: [time, { type: 'null' }] } } }
  t.same(serialize(schema, { at: '2030-01-01T00:00:00.000Z' }), { at: '2030-01-01T00:00:00.000Z' })
  t.same(serialize(schema, { at: null }), { at: null })
  t.throws(() => serialize(schema, { at: '-000001-12-31T00:00:00.000Z' }), /does not match schema/)
})

t.test('unions of several schemas are serialized by the first one that fits', async (t) => {
  const schema = { anyOf: [{ type: 'integer' }, { type: 'array', items: { type: 'string' } }, { type: 'null' }] }
  for (const value of [3, ['a'], null]) t.same(serialize(schema, value), value)
  t.throws(() => serialize({ anyOf: [{ type: 'integer' }] }, null), /does not match schema/)
})

t.test('a reference to an unknown schema is an error', async (t) => {
  t.throws(() => serialize({ type: 'array', items: { $ref: 'Nothing#' } }, []), /no schema with the name Nothing/)
})
