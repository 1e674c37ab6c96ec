import { metasOf } from './metas-of.ts'
import type { Found, Rule, Sight } from './rule.ts'

const KEYS = ['robots', 'googlebot', 'bingbot', 'x-robots-tag']

/**
 * A header may name the crawler that it is for; `max-image-preview:none` forbids something else.
 */
const FORBIDS = /^(?:[\w-]*bot:)?(?:noindex|none)$/

export const noindex: Rule = {
  category: 'metadata',
  severity: 'high',
  scope: 'article',
  version: 2,
  message: 'The page asks search engines not to show it.',
  advice: 'Remove noindex from the robots element, or the X-Robots-Tag header, of a page that is meant to be found.',
  find
}

/** What is not yet public may say so: then it is told, and costs nothing. */
function find({ facts, expected }: Sight): Found | null {
  const contents = KEYS.flatMap((key) => metasOf(facts, key))
  const said = contents.find((content) =>
    content
      .toLowerCase()
      .split(/[\s,]+/)
      .some((word) => FORBIDS.test(word))
  )
  return said === undefined
    ? null
    : {
        extent: 1,
        places: [],
        evidence: {},
        actual: said.slice(0, 200),
        ...(expected.environment === 'staging' ? { severity: 'info' as const } : {})
      }
}
