import { createHash } from 'node:crypto'
import type { Subject } from './subject.ts'
import { containsName } from './words.ts'

/** Levels, each with the parts that it adds to a text; the first level adds nothing. */
export type FallbackLevels = readonly string[][]

/** More attributes would be a list, not a name. */
const MAX_ATTRIBUTES = 4

/**
 * What a text adds, level by level, until it is unique in the project: nothing, the attributes that
 * distinguish the product from its siblings, more attributes, the sku, the externalId, and numbers
 * derived from the externalId. The last number is unique.
 * Parts that the title already contains are omitted. No level is repeated.
 */
export function fallbackLevels(subject: Subject): FallbackLevels {
  const { title, distinguishing, attributes, sku, externalId, identity } = subject
  const more = [
    ...new Set([
      ...distinguishing,
      ...attributes.map(({ value }) => value).filter((value) => !containsName(title, value))
    ])
  ].slice(0, MAX_ATTRIBUTES)
  const digest = createHash('sha256').update(identity).digest('hex')
  const ids = [sku, externalId].filter((id) => id !== '' && !containsName(title, id))
  const number = String(Number.parseInt(digest.slice(0, 12), 16) % 1_000_000)
  const levels = [
    [],
    distinguishing,
    more,
    ...ids.map((id) => [...distinguishing, id]),
    ...ids.slice(0, 1).map((id) => [id]),
    [number],
    [digest.slice(0, 16)]
  ]
  const seen = new Set<string>()
  return levels.filter((level) => {
    const key = level.join('\n')
    return !seen.has(key) && seen.add(key)
  })
}
