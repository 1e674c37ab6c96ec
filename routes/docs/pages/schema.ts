import { html, type Html } from '../../../lib/html.ts'
import type { Media, OpenApiDocument, Operation, Schema } from '../../../lib/openapi/types.ts'
import { renderExample, renderInline } from './layout.ts'

/** An operation with its method and path. */
export interface Endpoint {
  method: string
  path: string
  operation: Operation
}

interface Row {
  name: string
  schema: Schema
  required: boolean
}

const refName = (ref: string): string => ref.split('/').at(-1)!

/** The parameters of an operation in a table for each location. */
export function renderParameters(operation: Operation, { components }: OpenApiDocument): Html | null {
  const parameters = (operation.parameters ?? []).map((parameter) =>
    '$ref' in parameter ? components.parameters[refName(parameter.$ref)]! : parameter
  )
  if (parameters.length === 0) return null
  const titles: Record<string, string> = {
    path: 'Path parameters',
    query: 'Query parameters',
    header: 'Header parameters'
  }
  const groups = Object.entries(Object.groupBy(parameters, (parameter) => parameter.in))
  return html`${groups.map(([location, list]) => {
    const rows = list!.map(({ name, schema, description, required }) => ({
      name,
      schema: { ...schema, description },
      required: required === true
    }))
    return html`<h4>${titles[location]}</h4>${renderRows(rows)}`
  })}`
}

/** A request or response body: its type, its fields and an example. */
export function renderMedia(media: Media, document: OpenApiDocument): Html {
  const { schema = {} } = media
  const example = findExample(media, document)
  const description = typeof schema.description === 'string' ? html`: ${renderInline(schema.description)}` : null
  return html`<p>${renderType(schema)}${description}</p>
${renderFields(schema)}
${example === undefined ? null : renderExample(example)}`
}

/** The example of a body: its own, or the first one that it refers to. */
export function findExample({ example, examples = {} }: Media, { components }: OpenApiDocument): unknown {
  const first = Object.values(examples)[0]
  if (first === undefined) return example
  return '$ref' in first ? components.examples[refName(first.$ref)]?.value : first.value
}

/** A table with the fields of an object and of the objects in it, by path; null without fields. */
export function renderFields(schema: Schema): Html | null {
  const rows = listFields(schema, '')
  return rows.length === 0 ? null : renderRows(rows)
}

function renderRows(rows: readonly Row[]): Html {
  const marker = html`<span class="required" title="required">*</span>`
  const lines = rows.map(
    ({ name, schema, required }) => html`<tr>
<td><code>${name}</code>${required ? marker : null}</td>
<td>${renderType(schema)}</td>
<td>${renderInline(describe(schema))}</td>
</tr>`
  )
  return html`<div class="scroll" tabindex="0"><table>
<thead><tr><th>Name</th><th>Type</th><th>Description</th></tr></thead>
<tbody>${lines}</tbody>
</table></div>`
}

function listFields(schema: Schema, parent: string): Row[] {
  const required = (schema.required ?? []) as string[]
  return Object.entries((schema.properties ?? {}) as Record<string, Schema>).flatMap(([name, field]) => {
    const path = parent + name
    const nested = [field, ...((field.anyOf as Schema[] | undefined) ?? [])].flatMap((choice) =>
      isArray(choice) ? listFields(choice.items as Schema, `${path}[].`) : listFields(choice, `${path}.`)
    )
    return [{ name: path, schema: field, required: required.includes(name) && parent === '' }, ...nested]
  })
}

const isArray = ({ items }: Schema): boolean => typeof items === 'object' && items !== null

/** The type in a few words; a referenced schema is a link. */
function renderType(schema: Schema): Html {
  if (typeof schema.$ref === 'string') {
    const name = refName(schema.$ref)
    return html`<a href="#schema-${name}">${name}</a>`
  }
  if (Array.isArray(schema.anyOf)) {
    const choices = schema.anyOf as Schema[]
    return html`${choices.map((choice, index) => html`${index > 0 ? ' or ' : ''}${renderType(choice)}`)}`
  }
  if (isArray(schema)) return html`array of ${renderType(schema.items as Schema)}`
  const types = [schema.type].flat().filter((type) => typeof type === 'string')
  const format = typeof schema.format === 'string' ? html` <span class="muted">${schema.format}</span>` : null
  return html`${types.length === 0 ? 'any' : types.join(' or ')}${format}`
}

/** Descriptions of JSON Schema keywords; `%` is the value. */
const KEYWORDS: Record<string, string> = {
  maxLength: 'at most % characters',
  minimum: 'minimum %',
  maximum: 'maximum %',
  maxItems: 'at most % items',
  default: 'default `%`',
  const: 'always `%`'
}

/** The description of a schema with its constraints. */
function describe(schema: Schema): string {
  const inner = isArray(schema) ? (schema.items as Schema) : schema
  const choices = [inner, ...((inner.anyOf as Schema[] | undefined) ?? [])].flatMap(
    ({ enum: values }) => (values as unknown[] | undefined) ?? []
  )
  const constraints = [
    choices.length === 0 ? '' : `one of ${choices.map((value) => `\`${String(value)}\``).join(', ')}`,
    schema.minLength === 1 || schema.minItems === 1 ? 'not empty' : '',
    ...Object.entries(KEYWORDS)
      .filter(([keyword]) => schema[keyword] !== undefined)
      .map(([keyword, text]) => text.replace('%', () => formatValue(schema[keyword])))
  ].filter((constraint) => constraint !== '')
  const description = typeof schema.description === 'string' ? schema.description.replace(/\.$/, '') : ''
  return [description, constraints.join(', ')]
    .filter((text) => text !== '')
    .map((text) => `${text[0]!.toUpperCase()}${text.slice(1)}.`)
    .join(' ')
}

const formatValue = (value: unknown): string => (typeof value === 'number' ? value.toLocaleString('en') : String(value))
