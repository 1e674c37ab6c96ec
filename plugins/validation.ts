import SerializerSelector from '@fastify/fast-json-stringify-compiler'
import { Ajv, type Options, type ValidateFunction } from 'ajv'
import type { TSchema } from '@sinclair/typebox'
import fp from 'fastify-plugin'
import type { FieldError } from '../errors.ts'
import { formats } from '../schemas/formats.ts'
import { namedSchemas } from '../schemas/index.ts'
import { hasMoreValues } from '../services/value-count.ts'
import { toFieldErrors } from './errors/field-errors.ts'
import { isListSchema, serializeList } from './validation/partial-list.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Validates one of many values in a body. Pointers are relative to the value. */
    fieldErrors: (schema: TSchema, value: unknown) => FieldError[]
  }
}

/** The schemas are ours: validating each against its meta schema takes longer than compiling it. */
const trusted = { meta: false, validateSchema: false } satisfies Options
const strict = { ...trusted, removeAdditional: false, useDefaults: true, allErrors: true, formats } satisfies Options

type Serializer = (value: unknown) => string
type CompileSerializer = (route: { schema: unknown; method: string; url: string; httpStatus: string }) => Serializer

/**
 * Compiled serializers by schema. Compiling all of them takes two thirds of the startup time, so each
 * is compiled on first use and shared by the routes with the same schema, such as those of errors.
 */
const serializers = new Map<string, Serializer>()
let compileSerializer: CompileSerializer | null = null

/** The serializer of a schema, compiled once per process. */
function serializerOf(schema: unknown): Serializer {
  const key = JSON.stringify(schema)
  let serializer = serializers.get(key)
  if (serializer === undefined) {
    compileSerializer ??= SerializerSelector()(
      JSON.parse(JSON.stringify(Object.fromEntries(namedSchemas.map((named) => [named.$id, named])))),
      { ajv: { formats } }
    )
    serializer = compileSerializer({ schema: JSON.parse(key), method: '', url: '', httpStatus: '' })
    serializers.set(key, serializer)
  }
  return serializer
}

/**
 * How a part of a request is validated. Bodies are strict: types are not coerced. Paths, queries and
 * headers are text, so their types are coerced.
 */
const MODES = {
  body: { ...strict, coerceTypes: false },
  firstOfBody: { ...strict, allErrors: false, coerceTypes: false },
  text: { ...strict, coerceTypes: 'array' },
  firstOfText: { ...strict, allErrors: false, coerceTypes: 'array' }
} satisfies Record<string, Options>
type Mode = keyof typeof MODES

const instances = new Map<Mode, Ajv>()
const validators = new Map<string, ValidateFunction>()

/** Ajv with the named schemas, which it compiles on first use. */
function ajvOf(mode: Mode): Ajv {
  let ajv = instances.get(mode)
  if (ajv === undefined) {
    ajv = new Ajv(MODES[mode])
    for (const schema of namedSchemas) ajv.addSchema(schema)
    instances.set(mode, ajv)
  }
  return ajv
}

/** The validator of a schema, compiled once per process. */
function validatorOf(mode: Mode, schema: object): ValidateFunction {
  const key = `${mode} ${JSON.stringify(schema)}`
  let validator = validators.get(key)
  if (validator === undefined) {
    validator = ajvOf(mode).compile(schema)
    validators.set(key, validator)
  }
  return validator
}

/** The validator of a schema, which is looked up once per route. */
function lazyValidator(mode: Mode, schema: object): () => ValidateFunction {
  let validator: ValidateFunction | undefined
  return () => (validator ??= validatorOf(mode, schema))
}

/** Bodies, and values in them, with more values than this are reported with their first error only. */
const MAX_VALUES = 2000
/** The same for the parameters of a query. No operation has as many. */
const MAX_PARAMETERS = 100

/**
 * The error for a number that is not finite; null without one. Ajv coerces texts such as `1e400` to
 * Infinity, which it takes for an integer within all limits.
 */
function findInfinite(value: unknown): object | null {
  for (const [name, member] of Object.entries(value as object)) {
    const values: unknown[] = Array.isArray(member) ? member : [member]
    if (!values.some((each) => typeof each === 'number' && !Number.isFinite(each))) continue
    return { keyword: 'type', instancePath: `/${name}`, params: { type: 'number' }, message: 'must be number' }
  }
  return null
}

/** Validates requests. Unknown fields are rejected. */
export default fp(
  async (app) => {
    app.decorate('fieldErrors', (schema, value) => {
      const mode = hasMoreValues(value, MAX_VALUES) ? 'firstOfBody' : 'body'
      const validate = ajvOf(mode).getSchema(schema.$id!)!
      return validate(value) === true
        ? []
        : toFieldErrors((validate.errors ?? []) as Parameters<typeof toFieldErrors>[0], 'body')
    })
    app.setSerializerCompiler(({ schema, method }) => {
      let serializer: Serializer | undefined
      const serialize: Serializer = (value) => (serializer ??= serializerOf(schema))(value)
      return method === 'GET' && isListSchema(schema)
        ? (value) => serializeList(serialize, value as unknown[] | Record<string, unknown>)
        : serialize
    })
    // Fastify accepts text/plain bodies by default.
    app.removeContentTypeParser('text/plain')
    app.setValidatorCompiler<object>(({ schema, httpPart }) => {
      if (httpPart !== 'body') {
        const [everyValidator, firstValidator] = [lazyValidator('text', schema), lazyValidator('firstOfText', schema)]
        return (value: unknown) => {
          const validate = Object.keys(value as object).length > MAX_PARAMETERS ? firstValidator() : everyValidator()
          if (validate(value) !== true) return { error: validate.errors as never }
          const infinite = findInfinite(value)
          return infinite === null ? true : { error: [infinite] as never }
        }
      }
      const [firstValidator, everyValidator] = [lazyValidator('firstOfBody', schema), lazyValidator('body', schema)]
      return (value: unknown) => {
        const first = firstValidator()
        if (first(value) === true) return true
        // Collecting 20,000 errors would block the event loop for 100 ms.
        if (hasMoreValues(value, MAX_VALUES)) return { error: first.errors as never }
        const every = everyValidator()
        return every(value) === true ? true : { error: every.errors as never }
      }
    })
  },
  { name: 'validation' }
)
