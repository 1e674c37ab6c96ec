import { createRequire } from 'node:module'
import type { TSchema } from '@sinclair/typebox'
import type { Ajv, Options, ValidateFunction } from 'ajv'
import type { FastifyServerOptions } from 'fastify'
import type { FieldError } from '../../errors.ts'
import { formats } from '../../schemas/formats.ts'
import { namedSchemas } from '../../schemas/index.ts'
import { ProductRow } from '../../schemas/product.ts'
import { hasMoreValues } from '../../services/value-count.ts'
import { toFieldErrors } from '../errors/field-errors.ts'
import { isListSchema, serializeList } from './partial-list.ts'
import { serializerOf, type Serializer } from './serializers.ts'
import { addTextLengths } from './text-lengths.ts'

/** Ajv is loaded when the first value is validated: no start needs it. */
const require = createRequire(import.meta.url)

/** The schemas are ours: validating each against its meta schema takes longer than compiling it. */
const trusted = { meta: false, validateSchema: false } satisfies Options
const strict = { ...trusted, removeAdditional: false, useDefaults: true, allErrors: true, formats } satisfies Options

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
    const { Ajv } = require('ajv') as typeof import('ajv')
    ajv = new Ajv(MODES[mode])
    addTextLengths(ajv)
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

const BODY_MODES = ['body', 'firstOfBody'] as const
/** The schemas of values within bodies that customers send. */
const NAMED_VALUES = [ProductRow]

/** The errors of one of many values in a body. Pointers are relative to the value. */
export function fieldErrors(schema: TSchema, value: unknown): FieldError[] {
  const validate = namedValidator(hasMoreValues(value, MAX_VALUES) ? 'firstOfBody' : 'body', schema)
  return validate(value) === true
    ? []
    : toFieldErrors((validate.errors ?? []) as Parameters<typeof toFieldErrors>[0], 'body')
}

const namedValidator = (mode: Mode, schema: TSchema): ValidateFunction => ajvOf(mode).getSchema(schema.$id!)!

type Validation = true | { error: object[] | null | undefined }
type Validator = (value: unknown) => Validation

/** What is compiled on first use, and can be compiled before it. */
export type Preparation = () => void

/** Routes of operators are used so rarely that nothing is compiled for them in advance. */
const isPrepared = (url: string | undefined): boolean =>
  url?.startsWith('/api/') === true && !/^\/api\/admin\b/.test(url)

/**
 * How Fastify validates requests and serializes responses: the `compilersFactory` is an option of the server, because
 * Fastify loads its own compilers when it is created without it.
 */
export function createCompilers() {
  // One step loads Ajv, the next ones compile.
  const prepareNamed = BODY_MODES.flatMap((mode) => [
    () => ajvOf(mode),
    ...NAMED_VALUES.map((schema) => () => namedValidator(mode, schema))
  ])
  const preparations: Preparation[] = [...prepareNamed]

  function compileSerializer(route: { schema?: unknown; method?: string; url?: string }): Serializer {
    const { schema, method } = route
    let serializer: Serializer | undefined
    const serialize: Serializer = (value) => (serializer ??= serializerOf(schema))(value)
    const prepare = () => {
      serializer ??= serializerOf(schema)
    }
    if (isPrepared(route.url)) preparations.push(prepare)
    return method === 'GET' && isListSchema(schema)
      ? (value) => serializeList(serialize, value as unknown[] | Record<string, unknown>)
      : serialize
  }

  function compileValidator(route: { schema: object; httpPart?: string; url?: string }): Validator {
    const isBody = route.httpPart === 'body'
    const [everyMode, firstMode] = isBody ? (['body', 'firstOfBody'] as const) : (['text', 'firstOfText'] as const)
    const [every, first] = [lazyValidator(everyMode, route.schema), lazyValidator(firstMode, route.schema)]
    if (isPrepared(route.url)) preparations.push(every, ...(isBody ? [first] : []))
    return isBody ? (value) => validateBody(value, { every, first }) : (value) => validateText(value, { every, first })
  }

  return {
    preparations,
    factory: {
      buildValidator: () => compileValidator,
      buildSerializer: () => compileSerializer
    } as unknown as NonNullable<NonNullable<FastifyServerOptions['schemaController']>['compilersFactory']>
  }
}

/** Validators that report all errors, and only the first one. */
interface Validators {
  every: () => ValidateFunction
  first: () => ValidateFunction
}

function validateBody(value: unknown, { every, first }: Validators): Validation {
  const validateFirst = first()
  if (validateFirst(value) === true) return true
  // Collecting 20,000 errors would block the event loop for 100 ms.
  if (hasMoreValues(value, MAX_VALUES)) return { error: validateFirst.errors }
  const validateEvery = every()
  return validateEvery(value) === true ? true : { error: validateEvery.errors }
}

function validateText(value: unknown, { every, first }: Validators): Validation {
  const validate = Object.keys(value as object).length > MAX_PARAMETERS ? first() : every()
  if (validate(value) !== true) return { error: validate.errors }
  const infinite = findInfinite(value)
  return infinite === null ? true : { error: [infinite] }
}
