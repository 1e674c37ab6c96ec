import type { ViewportSnapshot } from '../../../ports/browser/port/page-snapshot.ts'
import { hiddenBy } from './hidden-by.ts'
import type { Found, Rule, Sight } from './rule.ts'
import { isWithoutViewport } from './without-viewport.ts'

const LEAST_PX = 4
/** Less moves the page a little, and hides no word. */
const LITTLE_PX = 16

export const horizontalOverflow: Rule = {
  category: 'layout',
  severity: 'high',
  scope: 'article',
  version: 2,
  message: 'The blog is wider than the screen and has to be scrolled sideways.',
  advice: 'Limit wide elements (max-width: 100%), let long words break, and put wide tables into a box that scrolls.',
  find
}

/** A page that cannot be scrolled sideways cuts its text off. */
const isCutInstead = ({ document, blocks }: ViewportSnapshot): boolean =>
  document.scrollWidth <= document.layoutWidth && blocks.some((block) => hiddenBy(block) === 'TEXT_CUT_OFF')

function find({ facts }: Sight): Found | null {
  const wide = facts.overflows
    .filter(({ overflowPx, inArticle }) => inArticle && overflowPx > LEAST_PX)
    .sort((a, b) => b.overflowPx - a.overflowPx)
  const [worst] = wide
  if (worst === undefined || isWithoutViewport(facts) || isCutInstead(facts)) return null
  return {
    extent: Math.min(1, worst.overflowPx / facts.width),
    places: wide.map(({ selector, box }) => ({ place: { selector, box } })),
    evidence: { overflowPx: Math.round(worst.overflowPx), scrollWidth: facts.document.scrollWidth },
    ...(worst.overflowPx <= LITTLE_PX ? { severity: 'medium' as const } : {})
  }
}
