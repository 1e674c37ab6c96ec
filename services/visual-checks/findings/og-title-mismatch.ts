import { likeness, tells } from './likeness.ts'
import { metasOf } from './metas-of.ts'
import type { Found, Rule, Sight } from './rule.ts'

const LEAST_LIKENESS = 0.5

export const ogTitleMismatch: Rule = {
  category: 'metadata',
  severity: 'low',
  scope: 'article',
  version: 1,
  message: 'Previews in messages and social networks show another title than that of the blog.',
  advice: 'Put the title of the blog into <meta property="og:title">.',
  find
}

function find({ facts, expected }: Sight): Found | null {
  const [title] = metasOf(facts, 'og:title')
  if (title === undefined || tells(title, expected.title) || likeness(title, expected.title) >= LEAST_LIKENESS) {
    return null
  }
  return { extent: 1, places: [], evidence: {}, expected: expected.title, actual: title.slice(0, 300) }
}
