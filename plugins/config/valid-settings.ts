import type { TSchema } from '@sinclair/typebox'
import { formats } from '../../schemas/formats.ts'

type Setting = string | number

/** Keywords that say nothing about the value. */
const ANNOTATIONS = new Set(['type', 'default', 'description', 'secret'])

/** Numbers of a text, as Ajv converts them. */
const toNumber = (text: string): number => (text === '' ? Number.NaN : Number(text))

/** What a keyword of a schema requires of a value that has the type already. */
const KEYWORDS: Record<string, (value: Setting, limit: never) => boolean> = {
  enum: (value, allowed: Setting[]) => allowed.includes(value),
  minimum: (value, limit: number) => (value as number) >= limit,
  maximum: (value, limit: number) => (value as number) <= limit,
  // Characters, not code units.
  minLength: (value, limit: number) => [...(value as string)].length >= limit,
  pattern: (value, pattern: string) => new RegExp(pattern, 'u').test(value as string),
  format: (value, name: string) => formats[name]?.(value as string) ?? false
}

/**
 * The settings with their types and defaults, for texts that are certainly valid. Null if one is not, or if its schema
 * has a keyword that is unknown here: then Ajv decides, and words the problems. Loading Ajv and compiling the schema
 * takes longer than everything else that the settings need at each start.
 */
export function validSettings(
  properties: Record<string, TSchema>,
  required: readonly string[],
  texts: Record<string, string | undefined>
): Record<string, Setting> | null {
  const settings: Record<string, Setting> = {}
  for (const [name, schema] of Object.entries(properties)) {
    const text = texts[name]
    if (text === undefined) {
      if (schema.default !== undefined) settings[name] = schema.default as Setting
      else if (required.includes(name)) return null
      continue
    }
    const value = convert(text, schema.type)
    if (value === null || !fits(value, schema)) return null
    settings[name] = value
  }
  return settings
}

function convert(text: string, type: unknown): Setting | null {
  if (type === 'string') return text
  const number = toNumber(text)
  if (!Number.isFinite(number)) return null
  return type === 'number' || (type === 'integer' && Number.isInteger(number)) ? number : null
}

function fits(value: Setting, schema: TSchema): boolean {
  return Object.entries(schema).every(
    ([keyword, limit]) => ANNOTATIONS.has(keyword) || (KEYWORDS[keyword]?.(value, limit as never) ?? false)
  )
}
