import { metasOf } from './metas-of.ts'
import type { Rule } from './rule.ts'

export const ogImageBroken: Rule = {
  category: 'metadata',
  severity: 'medium',
  scope: 'article',
  version: 1,
  message: 'The picture for previews does not load.',
  advice: 'Check the address in <meta property="og:image">: it is to be complete, public, and a picture.',
  find: ({ facts }) =>
    facts.document.ogImageLoads === false
      ? { extent: 1, places: [], evidence: {}, actual: (metasOf(facts, 'og:image')[0] ?? '').slice(0, 300) }
      : null
}
