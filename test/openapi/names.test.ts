import t from 'tap'
import type { OpenApiDocument, Schema } from '../../lib/openapi/types.ts'
import { startApp } from '../helper.ts'

const app = await startApp(t, { DEMO_CONTENT: 'off' })
const document = await app.openApiDocument()

/** Names that exist everywhere in browsers or TypeScript: an import would hide them. */
const GLOBAL_NAMES = new Set([
  ...Object.getOwnPropertyNames(globalThis),
  ...['Audio', 'Comment', 'Document', 'Element', 'History', 'Image', 'Location', 'Node', 'Notification', 'Option'],
  ...['Partial', 'Pick', 'Plugin', 'Range', 'Readonly', 'Record', 'Required', 'Screen', 'Selection', 'Text']
])

/** Schemas that generated clients would have to invent a name for, and patterns without words. */
function findProblems({ components, paths, webhooks }: OpenApiDocument): string[] {
  const problems: string[] = []
  const visit = (value: unknown, place: string, isNamed: boolean): void => {
    if (typeof value !== 'object' || value === null) return
    const schema = value as Schema
    const choices = (schema.anyOf ?? schema.oneOf ?? []) as Schema[]
    if (choices.some(({ $ref, type }) => $ref === undefined && type !== 'null')) {
      problems.push(`${place} is a union of schemas without names`)
    }
    const properties = Object.keys((schema.properties as object | undefined) ?? {})
    // A single value is a constant.
    const isEnumeration = Array.isArray(schema.enum) && schema.enum.length > 1
    if (!isNamed && (properties.length > 0 || isEnumeration)) problems.push(`${place} has no name`)
    if (typeof schema.pattern === 'string' && typeof schema.description !== 'string') {
      problems.push(`${place} has a pattern without words`)
    }
    for (const [key, inner] of Object.entries(schema)) {
      if (['example', 'examples', 'enum', 'headers', 'links'].includes(key)) continue
      const { description } = schema
      // The description of a parameter is beside its schema.
      const described =
        key === 'schema' && typeof description === 'string' ? { description, ...(inner as Schema) } : inner
      visit(described, `${place}/${key}`, false)
    }
  }
  for (const [name, schema] of Object.entries(components.schemas)) visit(schema, name, true)
  for (const part of [components.parameters, paths, webhooks]) visit(part, '', false)
  return problems
}

t.test('every object and enumeration has a name, unions are unions of names, and patterns are explained', async (t) => {
  t.strictSame(findProblems(document), [])
})

t.test('a schema without a name is found', async (t) => {
  const changed = structuredClone(document)
  const properties = changed.components.schemas.Blog!.properties as Record<string, Schema>
  properties.kind = { type: 'string', enum: ['a', 'b'] }
  properties.size = { type: 'object', properties: { width: { type: 'integer' } } }
  properties.place = { anyOf: [{ type: 'string' }, { type: 'integer' }] }
  properties.code = { type: 'string', pattern: '^a$' }
  t.strictSame(findProblems(changed), [
    'Blog/properties/kind has no name',
    'Blog/properties/size has no name',
    'Blog/properties/place is a union of schemas without names',
    'Blog/properties/code has a pattern without words'
  ])
})

t.test('no schema has the name of a global', async (t) => {
  t.strictSame(
    Object.keys(document.components.schemas).filter((name) => GLOBAL_NAMES.has(name)),
    []
  )
})

t.test('no description contains a regular expression', async (t) => {
  const texts = [...JSON.stringify(document).matchAll(/"description":"((?:[^"\\]|\\.)*)"/g)].map(([, text]) => text!)
  t.ok(texts.length > 500, 'the descriptions were found')
  t.strictSame(
    texts.filter((text) => /\[[a-zA-Z]-[a-zA-Z]|\{\d+,\d*\}|\(\?:|\\\\[SsdwpP]|\^\S*\$/.test(text)),
    []
  )
})
