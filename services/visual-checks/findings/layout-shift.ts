import type { Found, Rule, Sight } from './rule.ts'
import { articlePlaces, clearlyOver, rounded } from './weight.ts'

/** https://web.dev/articles/cls: good up to 0.1, poor from 0.25. */
const GOOD = 0.1
const POOR = 0.25

export const layoutShift: Rule = {
  category: 'runtime',
  severity: 'medium',
  scope: 'article',
  version: 1,
  message: 'The text moves while the page loads.',
  advice: 'Reserve the room of images, banners and fonts that arrive late.',
  find
}

function find({ facts }: Sight): Found | null {
  if (!clearlyOver(facts.layoutShift, GOOD)) return null
  return {
    extent: clearlyOver(facts.layoutShift, POOR) ? 1 : 0.5,
    places: articlePlaces(facts),
    evidence: { movement: rounded(facts.layoutShift, 2) }
  }
}
