import { likeness } from './likeness.ts'
import { normalText } from './normal-text.ts'
import { presenceOf } from './presence.ts'
import type { Found, Rule, Sight } from './rule.ts'
import { rounded } from './weight.ts'

export const headlineMismatch: Rule = {
  category: 'content',
  severity: 'high',
  scope: 'article',
  version: 1,
  message: 'The headline is another one than that of the blog.',
  advice: 'Show the title of the blog as it is, above its text.',
  find
}

function find(sight: Sight): Found | null {
  const { article, document } = sight.facts
  if (presenceOf(sight) === 'away' || article === null || article.headlineVisible) return null
  const shown = document.h1s.filter(({ rendered, text }) => rendered && text.trim() !== '')
  const [first] = shown
  if (first === undefined || shown.some(({ text }) => normalText(text).includes(normalText(sight.expected.title)))) {
    return null
  }
  return {
    extent: 1,
    places: [{ place: { selector: first.selector, box: first.box } }],
    evidence: { likeness: rounded(likeness(first.text, sight.expected.title)) },
    expected: sight.expected.title,
    actual: first.text.slice(0, 300)
  }
}
