import formats from 'ajv-formats'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import t, { type Test } from 'tap'
import type { Media } from '../../lib/openapi/types.ts'
import { startApp } from '../helper.ts'
import { answersOf, operationsOf, parametersOf, resolve } from './operations.ts'

const app = await startApp(t, { DEMO_CONTENT: 'off' })
const document = await app.openApiDocument()
const ajv = new Ajv2020({ strict: true, strictTypes: false, strictRequired: false, allErrors: true })
formats.default(ajv)
// Keywords of OpenAPI that JSON Schema lacks but that references may contain.
ajv.addVocabulary(['components', 'encoding'])
ajv.addSchema({ $id: 'https://interface.example/', components: document.components })

/** By schema: most responses of an error have the same one. */
const validators = new Map<string, ValidateFunction>()

/** Validates the value against a schema of the document, and returns the errors. */
function faults(schema: object, value: unknown): unknown {
  const text = JSON.stringify(schema).replaceAll('"#/components/', '"https://interface.example/#/components/')
  const validate = validators.get(text) ?? ajv.compile(JSON.parse(text) as object)
  validators.set(text, validate)
  return validate(value) === true ? [] : validate.errors
}

const isBinary = (type: string) => type.startsWith('image/') || type.startsWith('multipart/')

function check(t: Test, title: string, [type, media]: [string, Media]): void {
  const values = [
    ...(media.example === undefined ? [] : [media.example]),
    ...Object.values(media.examples ?? {}).map(
      (one) => resolve<{ value: unknown }>(document, one as { $ref: string }).value
    )
  ]
  t.ok(values.length > 0 || isBinary(type), `${title} has an example`)
  for (const value of values) t.strictSame(faults(media.schema!, value), [], `${title} is valid`)
}

t.test('every request and response body has an example, and every example is valid', async (t) => {
  for (const { title, operation } of operationsOf(document)) {
    for (const body of Object.entries(operation.requestBody?.content ?? {})) check(t, `${title}: body ${body[0]}`, body)
    for (const [status, answer] of answersOf(document, operation)) {
      t.equal(
        answer.content === undefined,
        ['204', '304'].includes(status),
        `${title} ${status}: a body where there is one`
      )
      for (const body of Object.entries(answer.content ?? {})) check(t, `${title}: ${status}`, body)
    }
  }
})

t.test('the examples of parameters and headers are valid', async (t) => {
  for (const { title, operation } of operationsOf(document)) {
    for (const { name, schema, example, in: place } of parametersOf(document, operation)) {
      if (place === 'path') t.not(example, undefined, `${title}: ${name} has an example`)
      if (example !== undefined) t.strictSame(faults(schema, example), [], `${title}: ${name}`)
    }
  }
  for (const [name, { schema, example }] of Object.entries(document.components.headers)) {
    t.strictSame(faults(schema!, example), [], name)
  }
})

t.test('an invalid example is detected', async (t) => {
  t.not(faults(document.components.schemas.Blog!, { title: 'alone' }), [])
  t.strictNotSame(faults({ $ref: '#/components/schemas/Project' }, { id: 'no spaces allowed' }), [])
})
