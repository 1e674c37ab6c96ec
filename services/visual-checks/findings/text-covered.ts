import type { BlockSnapshot } from '../../../ports/browser/port/page-snapshot.ts'
import { hiddenBy } from './hidden-by.ts'
import type { Found, Rule, Sight } from './rule.ts'
import { isLong } from './scripts.ts'
import { placesOf, rounded, weightOf, weightOfAll } from './weight.ts'

/**
 * What stays in the viewport covers the end of a page for a moment only; what stands in the page
 * covers its text for good.
 */
const LEAST_SHARE = 0.02
/** A heading counts where what covers it is there for good. */
const HEADING_CHARACTERS = 15
const STAYS = ['fixed', 'sticky']

const weightCovered = (blocks: readonly BlockSnapshot[]): number =>
  blocks.reduce((sum, block) => sum + weightOf(block) * block.visibility!.coveredShare, 0)

export const textCovered: Rule = {
  category: 'layout',
  severity: 'critical',
  scope: 'article',
  version: 1,
  message: 'Something lies over the text of the blog.',
  advice: 'Move or close what covers it, or leave room for it.',
  find
}

function find({ facts }: Sight): Found | null {
  const blocks = facts.blocks.filter((block) => hiddenBy(block) === 'TEXT_COVERED')
  const lasting = blocks.filter(
    ({ visibility, text }) =>
      !STAYS.includes(visibility!.coveredBy?.position ?? 'fixed') && isLong(text, HEADING_CHARACTERS)
  )
  const share = weightCovered(blocks) / Math.max(1, weightOfAll(facts.blocks))
  if (blocks.length === 0 || (share <= LEAST_SHARE && lasting.length === 0)) return null
  const by = blocks.find(({ visibility }) => visibility!.coveredBy !== null)?.visibility!.coveredBy
  return {
    extent: share,
    places: placesOf(blocks),
    evidence: {
      share: rounded(share),
      by: by ? { selector: by.selector, text: by.text.slice(0, 120), position: by.position } : null
    }
  }
}
