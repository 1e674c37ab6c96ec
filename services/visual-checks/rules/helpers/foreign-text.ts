import type { UnexpectedText } from '../../../../ports/browser/port/page-snapshot.ts'
import type { RuleHit, RuleInput } from '../rule.ts'
import { sumWeights } from './blocks.ts'
import { countMojibake, countTags } from './defective-text.ts'
import { hashText } from './site-texts.ts'
import { getTextMatch, getUnmatchedBlocks } from './text-match.ts'
import { isFullWidthText, isLong, round } from './text.ts'

/** Notes, labels and calls to action are shorter. */
const MIN_FOREIGN_LENGTH = 80
/** Foreign text that replaces ours is a changed text, which other rules report. */
const MIN_SURPLUS = 160
const MIXED_SHARE = 0.1

const isForeign = ({ scope, inCode, text }: UnexpectedText, siteTexts: readonly string[]): boolean =>
  scope === 'between' &&
  !inCode &&
  !siteTexts.includes(hashText(text)) &&
  isLong(text, MIN_FOREIGN_LENGTH) &&
  countTags(text, '') + countMojibake(text, '') === 0

/** Reports foreign text of several lines. Text that other pages of the site have, too, is a part of the site. */
export function detectMixed(input: RuleInput): RuleHit | null {
  const { unexpectedTexts, blocks } = input.snapshot
  if (getTextMatch(input) !== 'present') return null
  const foreign = unexpectedTexts.filter((text) => isForeign(text, input.expected.siteTexts ?? []))
  const [first] = foreign
  if (first === undefined) return null
  const surplus = sumWeights(foreign) - sumWeights(getUnmatchedBlocks(input).missing)
  if (surplus < (isFullWidthText(first.text) ? MIN_SURPLUS * 0.3 : MIN_SURPLUS)) return null
  const share = Math.min(1, surplus / sumWeights(blocks))
  return {
    extent: share,
    places: foreign.map(({ selector, box }) => ({ place: { selector, box } })),
    evidence: { share: round(share) },
    actual: first.text.slice(0, 300),
    ...(share < MIXED_SHARE ? { severity: 'medium' as const } : {})
  }
}
