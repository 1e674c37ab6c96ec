import type { Found, Rule, Sight } from './rule.ts'
import { articlePlaces, rounded } from './weight.ts'

const LEAST_SHARE = 0.1

export const fontBlocksText: Rule = {
  category: 'runtime',
  severity: 'high',
  scope: 'article',
  version: 1,
  message: 'The text stays invisible while its font loads.',
  advice: 'Set font-display: swap, and serve fonts from near by.',
  find
}

function find({ facts }: Sight): Found | null {
  const share = Math.min(
    1,
    facts.lateFonts.reduce((sum, font) => sum + font.share, 0)
  )
  return share > LEAST_SHARE
    ? {
        extent: share,
        places: articlePlaces(facts),
        evidence: { share: rounded(share), families: facts.lateFonts.slice(0, 3).map(({ family }) => family) }
      }
    : null
}
