import type { AddedText, BlockSnapshot } from '../../../ports/browser/port/page-snapshot.ts'
import { getShare } from './helpers/blocks.ts'
import type { Rule, RuleHit, RuleInput } from './rule.ts'

/** Of the blocks of the same kind. A note or a warning may have a label, but not every paragraph. */
const MIN_SHARE = 0.3
/** Longer texts are no labels. */
const MAX_LABEL_WORDS = 3
const MAX_LABEL_CHARACTERS = 24

/** The address of a link, however short. */
const ADDRESS = /^[^\s/#?]*[/#?]\S{3,}$/
/** No label has an entity that is not decoded. */
const ENTITY = /&(?:[a-z]{2,8}|#\d{2,6}|#x[\da-f]{2,5});/i

const isLong = ({ text }: AddedText): boolean =>
  text.length > MAX_LABEL_CHARACTERS ||
  ADDRESS.test(text) ||
  ENTITY.test(text) ||
  text.split(/\s+/).length > MAX_LABEL_WORDS

function detectAddedText({ snapshot: { blocks, addedTexts = [] } }: RuleInput): RuleHit | null {
  const tagOf = new Map(blocks.map(({ index, tag }) => [index, tag]))
  const isRepeated = ({ block, text }: AddedText): boolean => {
    const tag = tagOf.get(block)
    const ofKind = blocks.filter((one) => one.tag === tag && one.place !== null)
    const alike = addedTexts.filter((one) => one.text === text && tagOf.get(one.block) === tag)
    return ofKind.length > 1 && new Set(alike.map((one) => one.block)).size / ofKind.length > MIN_SHARE
  }
  const added = addedTexts.filter((one) => isLong(one) || (one.isInline && isRepeated(one)))
  const [first] = added
  if (first === undefined) return null
  const affected = new Set(added.map(({ block }) => block))
  const ofText = (one: BlockSnapshot): boolean => affected.has(one.index)
  return {
    extent: getShare(blocks.filter(ofText), blocks),
    places: added.map(({ selector, box, block }) => ({ place: { selector, box }, block })),
    count: affected.size,
    evidence: {
      texts: [...new Set(added.map(({ text }) => text))].slice(0, 5),
      selectors: [...new Set(added.map(({ selector, pseudo }) => selector + pseudo))].slice(0, 5)
    },
    actual: first.text
  }
}

/** Text that is in no element of the page, but in its style sheets. */
export const addedTextRules: readonly Rule[] = [
  {
    code: 'TEXT_ADDED_BY_CSS',
    category: 'content',
    severity: 'medium',
    scope: 'article',
    version: 3,
    message: "A style sheet adds words to the blog's text.",
    advice: 'Remove the `content` of `::before` and `::after` from paragraphs, lists and headings.',
    detect: detectAddedText
  }
]
