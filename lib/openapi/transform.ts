import { METHODS, type OpenApiDocument, type Operation, type Parameter, type PathItem } from './types.ts'
import type { Response, Schema } from './types.ts'

type Components = Record<string, unknown>

/** Our own formats, as the JSON Schema registry names them. Undefined: it has no such format. */
const FORMATS: Record<string, string | undefined> = { 'http-url': 'uri', label: undefined }
/** Keywords whose value is data, not a schema. */
const DATA_KEYWORDS = new Set(['enum', 'const', 'default', 'example', 'examples', 'required'])
/** Keywords whose value maps names to schemas. */
const MAP_KEYWORDS = new Set(['properties', '$defs', 'patternProperties'])

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Rewrites a schema for OpenAPI 3.1: registered formats only, and `type: [T, null]` instead of a
 * choice between T and null.
 */
export function normalizeSchema(schema: Schema): Schema {
  const normalized: Schema = {}
  for (const [keyword, value] of Object.entries(schema)) normalized[keyword] = normalizeValue(keyword, value)
  if (typeof normalized.format === 'string' && Object.hasOwn(FORMATS, normalized.format)) {
    const registered = FORMATS[normalized.format]
    if (registered === undefined) delete normalized.format
    else normalized.format = registered
  }
  return foldNullIntoType(normalized)
}

function normalizeValue(keyword: string, value: unknown): unknown {
  if (DATA_KEYWORDS.has(keyword)) return value
  if (Array.isArray(value)) return value.map((item) => (isObject(item) ? normalizeSchema(item) : item))
  if (!isObject(value)) return value
  if (MAP_KEYWORDS.has(keyword)) {
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, normalizeSchema(item as Schema)]))
  }
  return normalizeSchema(value)
}

/**
 * `anyOf: [{type: T, …}, {type: null}]` as `type: [T, null]`. Enums stay a choice: they would have
 * to list null as well.
 */
function foldNullIntoType(schema: Schema): Schema {
  const { anyOf, ...outside } = schema
  if (!Array.isArray(anyOf) || anyOf.length !== 2) return schema
  const inside = (anyOf as Schema[]).filter(({ type }) => type !== 'null')
  const only = inside[0]
  if (inside.length !== 1 || only === undefined || typeof only.type !== 'string' || 'enum' in only || 'const' in only) {
    return schema
  }
  return { ...only, ...outside, type: [only.type, 'null'] }
}

/**
 * Removes trailing slashes, and merges path templates that differ only in parameter names (OpenAPI
 * 3.1.1, section 4.8.8). The names of the path with a GET operation win.
 */
export function mergePaths<O extends Operation>(paths: Record<string, PathItem<O>>): Record<string, PathItem<O>> {
  const merged: Record<string, PathItem<O>> = {}
  const templates = new Map<string, string>()
  const readsFirst = Object.entries(paths).sort(
    ([, a], [, b]) => Number(b.get !== undefined) - Number(a.get !== undefined)
  )
  for (const [written, item] of readsFirst) {
    const path = written.length > 1 ? written.replace(/\/$/, '') : written
    const shape = path.replace(/\{[^{}]+\}/g, '{}')
    const first = templates.get(shape) ?? path
    templates.set(shape, first)
    for (const method of METHODS) {
      const operation = item[method]
      if (operation !== undefined) {
        ;(merged[first] ??= {})[method] =
          first === path ? operation : renameParameters(operation, parameterNames(path), parameterNames(first))
      }
    }
  }
  return Object.fromEntries(Object.entries(merged).sort(([a], [b]) => (a < b ? -1 : 1)))
}

const parameterNames = (path: string) => [...path.matchAll(/\{([^{}]+)\}/g)].map(([, name]) => name!)

function renameParameters<O extends Operation>(operation: O, from: string[], to: string[]): O {
  const parameters = (operation.parameters ?? []).map((parameter) => {
    const at = 'in' in parameter && parameter.in === 'path' ? from.indexOf(parameter.name) : -1
    if (at === -1 || from[at] === to[at]) return parameter
    return { ...(parameter as Parameter), name: to[at]!, description: `The ${toWords(from[at]!)}` }
  })
  return { ...operation, parameters }
}

/** `blogId` as `blog id`. */
const toWords = (name: string) => name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)

/**
 * Moves problem responses that several operations share to components, named after their codes.
 * Changes the operations in place and returns the shared responses.
 */
export function extractSharedProblems(paths: Record<string, PathItem>): Record<string, Response> {
  const seen = new Map<string, { operation: Operation; status: string }[]>()
  for (const operation of Object.values(paths).flatMap((item) => Object.values(item))) {
    for (const [status, response] of Object.entries(operation.responses)) {
      if (!isProblem(response as Response)) continue
      const text = JSON.stringify(response)
      seen.set(text, [...(seen.get(text) ?? []), { operation, status }])
    }
  }
  const shared: Record<string, Response> = {}
  for (const [text, uses] of seen) {
    if (uses.length < 2) continue
    const response = JSON.parse(text) as Response
    const name = problemName(response)
    shared[name] = response
    for (const { operation, status } of uses) operation.responses[status] = { $ref: `#/components/responses/${name}` }
  }
  return Object.fromEntries(Object.entries(shared).sort(([a], [b]) => (a < b ? -1 : 1)))
}

const isProblem = ({ content }: Response) => content?.['application/problem+json'] !== undefined

/** `BlogGoneOrBlogNotFound` for the codes blog_gone and blog_not_found. */
function problemName({ content }: Response): string {
  const codes = Object.keys(content!['application/problem+json']!.examples!)
  return codes.map((code) => code.replace(/(?:^|_)([a-z])/g, (_all, letter: string) => letter.toUpperCase())).join('Or')
}

/** Removes unused components, and then the components that only those used. */
export function pruneComponents(document: OpenApiDocument): OpenApiDocument {
  const { securitySchemes, ...all } = document.components
  let components = all
  let size: number
  do {
    size = count(components)
    const used = new Set(JSON.stringify({ ...document, components }).match(/#\/components\/[^"]+/g))
    const remaining = Object.entries(components).map(([kind, table]) => [
      kind,
      filterNames(table, (name) => used.has(`#/components/${kind}/${name}`))
    ])
    components = Object.fromEntries(remaining) as typeof all
  } while (count(components) < size)
  return { ...document, components: { ...components, securitySchemes } }
}

const filterNames = (table: Components, isUsed: (name: string) => boolean): Components =>
  Object.fromEntries(Object.entries(table).filter(([name]) => isUsed(name)))
const count = (components: object) =>
  Object.values(components).reduce((sum: number, table: Components) => sum + Object.keys(table).length, 0)
