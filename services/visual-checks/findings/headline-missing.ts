import { presenceOf } from './presence.ts'
import type { Found, Rule, Sight } from './rule.ts'
import { articlePlaces } from './weight.ts'

export const headlineMissing: Rule = {
  category: 'content',
  severity: 'high',
  scope: 'article',
  version: 1,
  message: 'The headline of the blog is not shown.',
  advice: 'Show the title of the blog above its text.',
  find
}

function find(sight: Sight): Found | null {
  const { article, document } = sight.facts
  if (presenceOf(sight) === 'away' || article === null || article.headlineVisible) return null
  const shown = document.h1s.filter(({ rendered, text }) => rendered && text.trim() !== '')
  return shown.length > 0
    ? null
    : {
        extent: 1,
        places: articlePlaces(sight.facts),
        evidence: { headings: document.h1s.length },
        expected: sight.expected.title
      }
}
