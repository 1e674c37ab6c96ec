import type { BlockSnapshot } from '../../../../ports/browser/port/page-snapshot.ts'
import type { RuleInput } from '../rule.ts'
import { getWeight, sumWeights } from './blocks.ts'
import { countMarkdown, countMojibake, countTags, stripMarkup } from './defective-text.ts'
import { isLong, normalizeText } from './text.ts'
import { trimEndOf } from '../../../../lib/text.ts'

/** From this similarity on, texts are the same. Leaves room for a character that a site adds. */
const SAME_TEXT = 0.985
/** Numbers before headings. */
const HEADING_NUMBER = /^\d{1,2}(?:\.\d{1,2})*[.)]\s/u
/** Link symbols after headings. */
const LINK_SYMBOL = /[#¶§🔗↩⧉]/u

/** Whether a block has our text, apart from harmless decoration that sites add. */
export function isUnchanged({
  similarity,
  actual,
  text
}: Pick<BlockSnapshot, 'similarity' | 'actual' | 'text'>): boolean {
  if (similarity >= SAME_TEXT) return true
  if (actual === null) return false
  const bare = (value: string) =>
    normalizeText(trimEndOf(normalizeText(value).replace(HEADING_NUMBER, ''), LINK_SYMBOL))
  return bare(actual) === bare(text)
}

/** Whether a block, or one similar to it, is in the page. */
export const isMatched = ({ similarity, place }: BlockSnapshot): boolean => similarity > 0 && place !== null

/** Without white space: line breaks, and spaces before punctuation, do not count. */
const removeSpaces = (text: string): string => normalizeText(text).replaceAll(' ', '')
/** Without anything that an entity may stand for. */
const getAsciiLetters = (text: string): string => normalizeText(text).replace(/[^a-z0-9]+/g, '')

/**
 * Our blocks with words that match no block of the page. `merged`: their text is in the page, run
 * together with other text. `escaped`: their text is there between visible tags or entities.
 * `missing`: their text is not in the page.
 */
export function getUnmatchedBlocks({ snapshot }: Pick<RuleInput, 'snapshot'>): {
  merged: BlockSnapshot[]
  escaped: BlockSnapshot[]
  missing: BlockSnapshot[]
} {
  const unmatched = snapshot.blocks.filter((block) => !isMatched(block) && /[\p{L}\p{N}]/u.test(block.text))
  if (unmatched.length === 0) return { merged: [], escaped: [], missing: [] }
  const stripped = stripMarkup(snapshot.document.text)
  const hasMarkup = stripped !== snapshot.document.text
  const [pageText, pageLetters] = [removeSpaces(snapshot.document.text), getAsciiLetters(stripped)]
  const isContained =
    (minLength: number) =>
    ({ text }: BlockSnapshot) =>
      isLong(text, minLength) && pageText.includes(removeSpaces(text))
  // If most of the text has run together, so have headings and numbers. Otherwise the same short
  // text may be in the page by chance.
  const mostMerged = sumWeights(unmatched.filter(isContained(25))) > sumWeights(snapshot.blocks) / 2
  const isMerged = isContained(mostMerged ? 1 : 25)
  const isEscaped = ({ text }: BlockSnapshot) =>
    hasMarkup && getAsciiLetters(text).length >= 6 && pageLetters.includes(getAsciiLetters(text))
  const rest = unmatched.filter((block) => !isMerged(block))
  return {
    merged: unmatched.filter(isMerged),
    escaped: rest.filter(isEscaped),
    missing: rest.filter((block) => !isEscaped(block))
  }
}

/** The share of our text in the page. Changed blocks count by their similarity. */
export function getMatchedShare(input: Pick<RuleInput, 'snapshot'>): number {
  const { blocks } = input.snapshot
  const total = sumWeights(blocks)
  const present = blocks
    .filter(isMatched)
    .reduce((sum, block) => sum + getWeight(block) * (isUnchanged(block) ? 1 : block.similarity), 0)
  return total === 0 ? 1 : (present + sumWeights(getUnmatchedBlocks(input).merged)) / total
}

/**
 * Whether the blog is in the page. `present`: enough to check it. `excerpt`: its beginning, under
 * its headline. `garbled`: as source code or with wrong characters, so that no block is recognized.
 * `absent`: not at all.
 */
export function getTextMatch(input: RuleInput): 'present' | 'excerpt' | 'garbled' | 'absent' {
  const share = getMatchedShare(input)
  if (share >= 0.2) return 'present'
  if (isGarbled(input)) return 'garbled'
  return share >= 0.03 && hasBlogTitle(input) ? 'excerpt' : 'absent'
}

/** Whether the page has the blog's title in its title or in a headline. */
export function hasBlogTitle({ snapshot: { document }, expected }: RuleInput): boolean {
  const title = normalizeText(expected.title)
  return [...document.titles, ...document.h1s.map(({ text }) => text)].some((text) =>
    normalizeText(text).includes(title)
  )
}

function isGarbled({ snapshot: { document, blocks } }: RuleInput): boolean {
  const own = blocks.map(({ text }) => text).join(' ')
  if (countTags(document.text, own) > 2 || countMarkdown(document.text, own) > 4) {
    return getSharedWords(stripMarkup(document.text), own) > 0.3
  }
  return countMojibake(document.text, own) >= Math.max(5, document.text.length * 0.004)
}

/** The share of our word pairs that a text has. */
function getSharedWords(text: string, own: string): number {
  const getPairs = (value: string) => {
    const words = normalizeText(value).match(/[\p{L}\p{N}]+/gu) ?? []
    return new Set(words.slice(1).map((word, at) => `${words[at]} ${word}`))
  }
  const [ours, theirs] = [getPairs(own), getPairs(text)]
  return ours.size === 0 ? 0 : ours.intersection(theirs).size / ours.size
}
