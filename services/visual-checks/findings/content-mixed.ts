import type { UnexpectedText } from '../../../ports/browser/port/page-snapshot.ts'
import { tagsShown, wrongCharacters } from './garbled.ts'
import { presenceOf } from './presence.ts'
import type { Found, Rule, Sight } from './rule.ts'
import { isLong, isWideText } from './scripts.ts'
import { unplacedBlocks } from './unplaced-blocks.ts'
import { rounded, weightOfAll } from './weight.ts'

/** Notes, labels and calls to action are shorter. */
const FOREIGN_CHARACTERS = 80
/** Together with what they stand in place of they are a changed text, which is told otherwise. */
const LEAST_SURPLUS = 160
const LARGE_PART = 0.1

const isForeign = ({ scope, inCode, text }: UnexpectedText): boolean =>
  scope === 'between' &&
  !inCode &&
  isLong(text, FOREIGN_CHARACTERS) &&
  tagsShown(text, '') + wrongCharacters(text, '') === 0

export const contentMixed: Rule = {
  category: 'content',
  severity: 'high',
  scope: 'article',
  version: 1,
  message: 'Text of another source stands among the paragraphs of the blog.',
  advice: 'Check what the template puts between the paragraphs: another blog, a wrong record, an old revision.',
  find
}

function find(sight: Sight): Found | null {
  const { unexpectedTexts, blocks } = sight.facts
  if (presenceOf(sight) !== 'here') return null
  const foreign = unexpectedTexts.filter(isForeign)
  const surplus = weightOfAll(foreign) - weightOfAll(unplacedBlocks(sight).gone)
  if (foreign.length === 0 || surplus < (isWideText(foreign[0]!.text) ? LEAST_SURPLUS * 0.3 : LEAST_SURPLUS)) {
    return null
  }
  const share = Math.min(1, surplus / weightOfAll(blocks))
  return {
    extent: share,
    places: foreign.map(({ selector, box }) => ({ place: { selector, box } })),
    evidence: { share: rounded(share) },
    actual: foreign[0]!.text.slice(0, 300),
    ...(share < LARGE_PART ? { severity: 'medium' as const } : {})
  }
}
