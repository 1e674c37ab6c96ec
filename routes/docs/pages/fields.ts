import { html, inline, type Html } from './html.ts'

type Schema = Record<string, unknown>
interface Row {
  name: string
  schema: Schema
  required: boolean
}

/** The fields of an object, one a row; those of objects inside it follow with the path to them. */
export function fieldTable(schema: Schema): Html | null {
  const rows = rowsOf(schema, '')
  return rows.length === 0 ? null : rowTable(rows)
}

/** Rows of any origin: fields, or parameters of a request. */
export function rowTable(rows: readonly Row[]): Html {
  return html`<div class="scroll" tabindex="0"><table><thead><tr><th>Name</th><th>Type</th><th>What it is</th></tr></thead><tbody>${rows.map(({ name, schema, required }) => html`<tr><td><code>${name}</code>${required ? html`<span class="must" title="required">*</span>` : null}</td><td>${typeOf(schema)}</td><td>${inline(remarks(schema))}</td></tr>`)}</tbody></table></div>`
}

function rowsOf(schema: Schema, path: string): Row[] {
  const required = (schema.required ?? []) as string[]
  return Object.entries((schema.properties ?? {}) as Record<string, Schema>).flatMap(([name, field]) => {
    const full = path + name
    const inside = [field, ...((field.anyOf as Schema[] | undefined) ?? [])].flatMap((choice) =>
      isList(choice) ? rowsOf(choice.items as Schema, `${full}[].`) : rowsOf(choice, `${full}.`)
    )
    return [{ name: full, schema: field, required: required.includes(name) && path === '' }, ...inside]
  })
}

const isList = ({ items }: Schema) => typeof items === 'object' && items !== null

/** The type in a few words; a shape is a link to its table. */
export function typeOf(schema: Schema): Html {
  const noun = typeof schema.$ref === 'string' ? schema.$ref.split('/').at(-1)! : null
  if (noun !== null) return html`<a href="#shape-${noun}">${noun}</a>`
  if (Array.isArray(schema.anyOf)) {
    return html`${(schema.anyOf as Schema[]).map((choice, at) => html`${at > 0 ? ' or ' : ''}${typeOf(choice)}`)}`
  }
  if (isList(schema)) return html`list of ${typeOf(schema.items as Schema)}`
  const names = [schema.type]
    .flat()
    .filter((name) => typeof name === 'string')
    .join(' or ')
  return html`${names === '' ? 'anything' : names}${typeof schema.format === 'string' ? html` <span class="quiet">${schema.format}</span>` : null}`
}

const BOUNDS: Record<string, string> = {
  maxLength: 'at most % characters',
  minimum: 'from %',
  maximum: 'up to %',
  maxItems: 'at most % items',
  pattern: 'matches `%`',
  default: 'default `%`',
  const: 'always `%`'
}

function remarks(schema: Schema): string {
  const inner = isList(schema) ? (schema.items as Schema) : schema
  const choices = [inner, ...((inner.anyOf as Schema[] | undefined) ?? [])].flatMap(
    ({ enum: values }) => (values as unknown[] | undefined) ?? []
  )
  const bounds = [
    schema.minLength === 1 || schema.minItems === 1 ? 'not empty' : '',
    ...Object.entries(BOUNDS)
      .filter(([keyword]) => schema[keyword] !== undefined)
      .map(([keyword, words]) => words.replace('%', () => shown(schema[keyword])))
  ]
  const facts = [
    choices.length === 0 ? '' : `one of ${choices.map((value) => `\`${String(value)}\``).join(', ')}`,
    ...bounds
  ]
    .filter((fact) => fact !== '')
    .join(', ')
  const description = typeof schema.description === 'string' ? schema.description.replace(/\.$/, '') : ''
  return [description, facts]
    .filter((text) => text !== '')
    .map((text) => `${text[0]!.toUpperCase()}${text.slice(1)}.`)
    .join(' ')
}

const shown = (value: unknown) => (typeof value === 'number' ? value.toLocaleString('en') : String(value))
