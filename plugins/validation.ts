import SerializerSelector from '@fastify/fast-json-stringify-compiler'
import { Ajv, type Options } from 'ajv'
import type { TSchema } from '@sinclair/typebox'
import fp from 'fastify-plugin'
import type { FieldError } from '../errors.ts'
import { formats } from '../schemas/formats.ts'
import { nouns } from '../schemas/index.ts'
import { hasMoreValues } from '../services/value-count.ts'
import { fieldErrors } from './http/field-errors.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** What is wrong with a value that is one of many in a body; pointers begin at the value. */
    fieldErrors: (noun: TSchema, value: unknown) => FieldError[]
  }
}

const strict = { removeAdditional: false, useDefaults: true, allErrors: true, formats } satisfies Options

type Serializer = (value: unknown) => string

/**
 * Compiled serializers by schema. Compiling all of them took two thirds of the startup time, so each
 * is compiled on first use and shared by the routes with the same schema, such as those of errors.
 */
const serializers = new Map<string, Serializer>()
let compileSerializer:
  | ((route: { schema: unknown; method: string; url: string; httpStatus: string }) => Serializer)
  | null = null

/** The serializer of a schema, compiled once a process. */
function serializerOf(schema: unknown): Serializer {
  const key = JSON.stringify(schema)
  let serializer = serializers.get(key)
  if (serializer === undefined) {
    compileSerializer ??= SerializerSelector()(
      JSON.parse(JSON.stringify(Object.fromEntries(nouns.map((noun) => [noun.$id, noun])))),
      {}
    )
    serializer = compileSerializer({ schema: JSON.parse(key), method: '', url: '', httpStatus: '' })
    serializers.set(key, serializer)
  }
  return serializer
}

/** Values in a body, past which only the first fault is named. */
const MOST_VALUES = 20_000

/**
 * Bodies are taken at their word and unknown fields are refused; paths, queries and headers are
 * text, so they are converted.
 */
export default fp(
  async (app) => {
    const body = new Ajv({ ...strict, coerceTypes: false })
    const firstOfBody = new Ajv({ ...strict, allErrors: false, coerceTypes: false })
    const text = new Ajv({ ...strict, coerceTypes: 'array' })
    for (const noun of nouns) {
      body.addSchema(noun)
      firstOfBody.addSchema(noun)
      text.addSchema(noun)
    }
    app.decorate('fieldErrors', (noun, value) => {
      const validate = body.getSchema(noun.$id!)!
      return validate(value) === true
        ? []
        : fieldErrors((validate.errors ?? []) as Parameters<typeof fieldErrors>[0], 'body')
    })
    app.setSerializerCompiler(({ schema }) => {
      let serializer: Serializer | undefined
      return (value) => (serializer ??= serializerOf(schema))(value)
    })
    // The framework would take any text for a body and leave it to the schema to wonder.
    app.removeContentTypeParser('text/plain')
    app.setValidatorCompiler<object>(({ schema, httpPart }) => {
      if (httpPart !== 'body') return text.compile(schema)
      const first = firstOfBody.compile(schema)
      const every = body.compile(schema)
      return (value: unknown) => {
        if (first(value) === true) return true
        // To name each of a hundred thousand faults takes seconds in which nobody else is served;
        // who sends so many is told the first.
        if (hasMoreValues(value, MOST_VALUES)) return { error: first.errors as never }
        return every(value) === true ? true : { error: every.errors as never }
      }
    })
  },
  { name: 'validation' }
)
