import t from 'tap'
import { nameSchemas } from '../../../lib/openapi/names.ts'
import type { OpenApiDocument, Schema } from '../../../lib/openapi/types.ts'

const color = { type: 'string', enum: ['red', 'green'] }
const point = (description: string) => ({
  type: 'object',
  required: ['x'],
  properties: { x: { type: 'number', description } }
})

/** A document with these schemas and one operation that responds with `response`. */
function documentOf(schemas: Record<string, Schema>, response: Schema): OpenApiDocument {
  const parameters = [{ name: 'color', in: 'query', description: 'Only this color', schema: { ...color } }]
  const responses = { 200: { description: 'A list', content: { 'application/json': { schema: response } } } }
  const operation = { operationId: 'listShapes', summary: '', tags: [], parameters, responses }
  return {
    paths: { '/shapes': { get: operation } },
    webhooks: {},
    components: { schemas: structuredClone(schemas) }
  } as unknown as OpenApiDocument
}
const responseOf = (document: OpenApiDocument) => {
  const { 200: response } = document.paths['/shapes']!.get!.responses
  return (response as { content: Record<string, { schema: Schema }> }).content['application/json']!.schema
}

t.test('equal schemas become references to one component, and keep their own descriptions', async (t) => {
  const document = documentOf(
    {
      Shape: {
        type: 'object',
        properties: {
          fill: { ...color, description: 'The color of the area' },
          line: { anyOf: [color, { type: 'null' }], description: 'Null: no line' },
          center: { ...point('Pixels from the left'), type: ['object', 'null'] },
          // A property may have the name of a keyword.
          default: { ...color, default: 'red' }
        }
      }
    },
    { type: 'array', items: point('Pixels') }
  )
  nameSchemas(document, { Color: 'Shape/fill', Point: 'Shape/center' })
  const { Shape, Color, Point } = document.components.schemas
  t.strictSame(Color, color)
  t.strictSame(Point, point('Pixels from the left'))
  t.strictSame(Shape!.properties, {
    fill: { $ref: '#/components/schemas/Color', description: 'The color of the area' },
    line: { anyOf: [{ $ref: '#/components/schemas/Color' }, { type: 'null' }], description: 'Null: no line' },
    center: { anyOf: [{ $ref: '#/components/schemas/Point' }, { type: 'null' }] },
    default: { $ref: '#/components/schemas/Color', default: 'red' }
  })
  t.strictSame(document.paths['/shapes']!.get!.parameters, [
    { name: 'color', in: 'query', description: 'Only this color', schema: { $ref: '#/components/schemas/Color' } }
  ])
  t.strictSame(responseOf(document), { type: 'array', items: { $ref: '#/components/schemas/Point' } })
})

t.test('schemas of parameters and responses are found', async (t) => {
  const document = documentOf({}, { type: 'array', items: point('Pixels') })
  nameSchemas(document, { Color: 'listShapes/query/color', Point: 'listShapes/200/[]' })
  t.strictSame(document.components.schemas, { Color: color, Point: point('Pixels') })
  t.strictSame(responseOf(document), { type: 'array', items: { $ref: '#/components/schemas/Point' } })
})

t.test('a schema cannot have two names', async (t) => {
  const document = documentOf({ Shape: { type: 'object', properties: { fill: color, line: color } } }, {})
  t.throws(() => nameSchemas(document, { Color: 'Shape/fill', Line: 'Shape/line' }), {
    message: 'The schema at Shape/line has the name Color.'
  })
})

t.test('a place that does not exist is an error', async (t) => {
  const document = documentOf({ Shape: { type: 'object', properties: {} } }, {})
  for (const place of ['Shape/fill', 'None/fill', 'listShapes/404', 'listShapes/query/size']) {
    t.throws(() => nameSchemas(document, { Color: place }), { message: `The document has no schema at ${place}.` })
  }
})
