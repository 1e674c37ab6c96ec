import { oddTexts, type OddText } from './odd-texts.ts'
import type { Found, Sight } from './rule.ts'

/**
 * Counts signs of a defect in what a reader sees and we did not write so. `full`: so many mean that
 * all of the text is affected. `page`: counted in the page's whole text where no block of ours is
 * known again.
 */
export function findOdd(
  sight: Sight,
  { count, full, page = 0 }: { count: (odd: OddText) => number; full: number; page?: number }
): Found | null {
  const bad = oddTexts(sight)
    .map((odd) => ({ ...odd, signs: count(odd) }))
    .filter(({ signs }) => signs > 0)
    .sort((a, b) => b.signs - a.signs)
  const signs = Math.max(
    page,
    bad.reduce((sum, odd) => sum + odd.signs, 0)
  )
  if (signs === 0) return null
  const places = bad.map(({ place, block }) => (block === null ? { place } : { place, block }))
  const first = bad[0]
  return {
    extent: Math.min(1, signs / full),
    places,
    evidence: { signs },
    ...(first?.own ? { expected: first.own.slice(0, 300) } : {}),
    actual: (first?.text ?? sight.facts.document.text).slice(0, 300)
  }
}
