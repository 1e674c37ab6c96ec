import type { OpenApiDocument, Parameter, Schema } from '../../lib/openapi/types.ts'

/**
 * What the patterns of schemas require, in words. Null: the description at each place says it. Readers of the API
 * documentation see the words and not the patterns.
 */
const WORDS: Readonly<Record<string, string | null>> = {
  '\\S': 'Must not be blank',
  '^[A-Za-z0-9._-]{1,64}$': '1 to 64 of the characters A-Z a-z 0-9 . _ -',
  '^[a-z0-9]+(-[a-z0-9]+)*$': 'Lowercase letters, digits, and single hyphens between them',
  '^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$': 'A BCP 47 language tag, such as `en` or `de-CH`',
  '^[0-9]{8,14}$': '8 to 14 digits',
  '^[A-Z]{3}$': 'Three capital letters, such as `EUR`',
  '^[A-Z0-9_]+$': 'Capital letters, digits and underscores',
  '^.+:[^:]+$': 'A column name, a colon, and the name of the field',
  '^[^\\s/?#\\\\]+$': null,
  '^(/[A-Za-z0-9._~-]+)*/?$': 'A path of segments with letters, digits and `. _ ~ -`, such as `/journal`',
  '^/[A-Za-z0-9._~/-]*\\{category\\}[A-Za-z0-9._~/-]*$': null,
  '^"?[!-~]{16,255}"?$': null
}
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
  const words = STYLE_PROPERTIES.has(name) ? null : WORDS[pattern]
  if (words === undefined || (words === null && description === '')) {
    throw new Error(`The pattern ${pattern} of ${name} needs words in plugins/openapi/patterns.ts.`)
  }
  if (words === null || description.includes(words)) return
  node.description = description === '' ? words : `${description.replace(/\.$/, '')}. ${words}`
}
