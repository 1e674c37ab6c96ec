import { marksShown, tagsShown, withoutMarkup, wrongCharacters } from './garbled.ts'
import { normalText } from './normal-text.ts'
import { isFound, isUnchanged } from './same-text.ts'
import type { Sight } from './rule.ts'
import { unplacedBlocks } from './unplaced-blocks.ts'
import { weightOf, weightOfAll } from './weight.ts'

/**
 * The share of our text that is in the page, be it run together with other text; what was changed
 * counts by its likeness.
 */
export function shareInPage(sight: Pick<Sight, 'facts'>): number {
  const { blocks } = sight.facts
  const whole = weightOfAll(blocks)
  const there = blocks
    .filter(isFound)
    .reduce((sum, block) => sum + weightOf(block) * (isUnchanged(block) ? 1 : block.similarity), 0)
  return whole === 0 ? 1 : (there + weightOfAll(unplacedBlocks(sight).merged)) / whole
}

/**
 * Whether the blog is in the page. `here`: enough to judge it; `teaser`: its beginning under its
 * headline; `garbled`: the page shows its source or its text in wrong characters, so that no block
 * is known again;
 * `away`: it is not there.
 */
export function presenceOf(sight: Sight): 'here' | 'teaser' | 'garbled' | 'away' {
  const share = shareInPage(sight)
  if (share >= 0.2) return 'here'
  if (isGarbled(sight)) return 'garbled'
  return share >= 0.03 && isHeadlined(sight) ? 'teaser' : 'away'
}

/** Whether the page says by its title or a headline that it is our blog. */
export function isHeadlined({ facts: { document }, expected }: Sight): boolean {
  const title = normalText(expected.title)
  return [...document.titles, ...document.h1s.map(({ text }) => text)].some((text) => normalText(text).includes(title))
}

function isGarbled({ facts: { document, blocks } }: Sight): boolean {
  const own = blocks.map(({ text }) => text).join(' ')
  if (tagsShown(document.text, own) > 2 || marksShown(document.text, own) > 4) {
    return wordsShared(withoutMarkup(document.text), own) > 0.3
  }
  return wrongCharacters(document.text, own) >= Math.max(5, document.text.length * 0.004)
}

/** The share of our pairs of words that a text has. */
function wordsShared(text: string, own: string): number {
  const pairs = (value: string) => {
    const words = normalText(value).match(/[\p{L}\p{N}]+/gu) ?? []
    return new Set(words.slice(1).map((word, at) => `${words[at]} ${word}`))
  }
  const [ours, theirs] = [pairs(own), pairs(text)]
  return ours.size === 0 ? 0 : ours.intersection(theirs).size / ours.size
}
