import { createHash } from 'node:crypto'
import type { Subject } from './subject.ts'
import { containsName } from './words.ts'

/** Steps, each the parts that it takes in; the first takes in nothing. */
export type FallbackLevels = readonly string[][]

/** More would be a list, not a name. */
const MAX_ATTRIBUTES = 4

/**
 * What a text may take in, step by step, until no other product of the project has the same:
 * nothing, the attributes that tell it from its siblings, more attributes,
 * the sku, the externalId, and numbers made of the externalId, the last of which nobody else has.
 * What the title names already is left out. No step comes twice.
 */
export function fallbackLevels(subject: Subject): FallbackLevels {
  const { title, distinguishing: telling, attributes, sku, externalId, identity } = subject
  const more = [
    ...new Set([...telling, ...attributes.map(({ value }) => value).filter((value) => !containsName(title, value))])
  ].slice(0, MAX_ATTRIBUTES)
  const digest = createHash('sha256').update(identity).digest('hex')
  const ids = [sku, externalId].filter((id) => id !== '' && !containsName(title, id))
  const number = String(Number.parseInt(digest.slice(0, 12), 16) % 1_000_000)
  const levels = [
    [],
    telling,
    more,
    ...ids.map((id) => [...telling, id]),
    ...ids.slice(0, 1).map((id) => [id]),
    [number],
    [digest.slice(0, 16)]
  ]
  const seen = new Set<string>()
  return levels.filter((rung) => {
    const key = rung.join('\n')
    return !seen.has(key) && seen.add(key)
  })
}
