import type { OpenApiDocument, Parameter, Schema } from '../../lib/openapi/types.ts'
import { PATTERN_WORDS } from '../../schemas/patterns.ts'

/** The patterns of settings of the article style, which also exist in a form that allows an empty text. */
const STYLE_PROPERTIES = new Set(['maxWidth', 'accentColor', 'fontFamily', 'borderRadius', 'every'])

/**
 * Adds the words of each pattern to its description. Changes the document. Throws for a pattern without words and
 * description, so that none is added without an explanation.
 */
export function describePatterns(document: OpenApiDocument): void {
  const { schemas, parameters } = document.components
  for (const part of [schemas, parameters, document.paths, document.webhooks]) visit(part, '')
}

function visit(value: unknown, name: string): void {
  if (typeof value !== 'object' || value === null) return
  const node = value as Schema
  const schema = isParameter(node) ? node.schema : node
  if (typeof schema.pattern === 'string') describe(node, schema.pattern, isParameter(node) ? node.name : name)
  // The description of a parameter is beside its schema, which is not visited again.
  for (const [key, inner] of Object.entries(isParameter(node) ? schema : node)) {
    if (!['example', 'examples', 'enum'].includes(key)) visit(inner, key)
  }
}

const isParameter = (node: Schema): node is Schema & Parameter => typeof node.in === 'string'

function describe(node: Schema, pattern: string, name: string): void {
  const description = typeof node.description === 'string' ? node.description : ''
  const words = STYLE_PROPERTIES.has(name) ? null : PATTERN_WORDS[pattern]
  if (words === undefined || (words === null && description === '')) {
    throw new Error(`The pattern ${pattern} of ${name} needs words in schemas/patterns.ts.`)
  }
  if (words === null || description.includes(words)) return
  node.description = description === '' ? words : `${description.replace(/\.$/, '')}. ${words}`
}
