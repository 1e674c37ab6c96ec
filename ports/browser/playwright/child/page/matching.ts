/// <reference lib="dom" />
import { matchCellsByPlace } from './cells.ts'
import { selfAndAncestors, composedClosest, composedParent } from './dom.ts'
import { diceOf, isDense, compactText, trigramsOf, rectsOf, type TextBlock } from './text-blocks.ts'

/** A block of the blog and its candidates in the page: the same text, or the most similar one. */
export interface Match {
  own: TextBlock
  found: TextBlock[]
  similarity: number
}

/**
 * Finds the blog's blocks in the page: the same text; the same text split differently (two blocks
 * for one, or one for two); the same text with a short addition (a button "Copy"); or a text that
 * shares most of its trigrams. A block with the text of one of the blog's blocks is never matched as
 * a changed version of another.
 */
export function matchBlocks(own: TextBlock[], page: TextBlock[]): Match[] {
  const byText = Map.groupBy(page, ({ compact: pressed }) => pressed)
  const matches: Match[] = own.map((block) => ({
    own: block,
    found: byText.get(block.compact) ?? [],
    similarity: byText.has(block.compact) ? 1 : 0
  }))
  const taken = new Set(matches.flatMap(({ found }) => found))
  // Text with tags is the blog's HTML shown as text.
  const free = (): TextBlock[] => page.filter((block) => !taken.has(block) && !showsTags(block.text))
  const missing = () => matches.filter(({ similarity }) => similarity === 0)
  matchJoinedTexts(missing(), free()).forEach((block) => taken.add(block))
  const plain = Map.groupBy(
    free().filter(({ text }) => withoutEntities(text) !== text),
    ({ text }) => compactText(withoutEntities(text))
  )
  for (const match of missing()) {
    const block = plain.get(match.own.compact)?.find((one) => !taken.has(one))
    if (block === undefined) continue
    taken.add(block)
    Object.assign(match, { found: [block], similarity: 0.99 })
  }

  const candidates = free()
    .filter(({ compact: pressed }) => pressed.length >= 6 && pressed.length < 20_000)
    .map((block) => ({ block, trigrams: trigramsOf(block.compact) }))
  const pairs: { match: Match; block: TextBlock; similarity: number }[] = []
  for (const match of missing()) {
    const text = match.own.compact
    if (text.length < 8) continue
    const trigrams = trigramsOf(text)
    for (const { block, trigrams: others } of candidates) {
      if (block.compact.length > text.length * 2 + 12 || block.compact.length < text.length * 0.5) continue
      const isAdded =
        block.compact.includes(text) &&
        block.compact.length - text.length <= Math.max(isDense(text) ? 2 : 6, text.length * 0.05)
      const dice = diceOf(trigrams, others)
      const similarity = isAdded ? 0.99 : Math.min(0.984, isInserted(block.compact, text) ? Math.max(0.7, dice) : dice)
      if (similarity >= (text.length < 25 ? 0.7 : 0.6)) pairs.push({ match, block, similarity })
    }
  }
  for (const { match, block, similarity } of pairs.sort((one, other) => other.similarity - one.similarity)) {
    if (match.similarity > 0 || taken.has(block)) continue
    taken.add(block)
    Object.assign(match, { found: [block], similarity })
  }
  matchCellsByPlace(matches, free())
  return matches
}

/** Whether a text is another one with something added at one place. */
export function isInserted(text: string, own: string): boolean {
  if (own.length < 12 || text.length <= own.length) return false
  let [start, end] = [0, 0]
  while (start < own.length && own[start] === text[start]) start++
  while (end < own.length && own.at(-1 - end) === text.at(-1 - end)) end++
  return start + end >= own.length
}

/** The text without entities that are shown as text. */
export const withoutEntities = (text: string): string =>
  text.replace(/&(?:[a-z]{2,8}|#\d{2,6}|#x[0-9a-f]{2,5});/gi, ' ')
export const showsTags = (text: string): boolean =>
  (text.match(
    /<\/?(?:p|h[1-6]|ul|ol|li|div|span|strong|em|figure|figcaption|img|table|blockquote|a|br)\b[^<>]{0,200}>/gi
  )?.length ?? 0) > 2

/** Matches texts that the page splits differently. Returns the used blocks of the page. */
export function matchJoinedTexts(missing: Match[], free: TextBlock[]): TextBlock[] {
  let all = ''
  const starts = free.map((block) => {
    const start = all.length
    all += block.compact
    return start
  })
  const used: TextBlock[] = []
  let from = 0
  for (const match of missing) {
    const text = match.own.compact
    if (text.length < (isDense(text) ? 6 : 12)) continue
    let at = all.indexOf(text, from)
    if (at < 0) at = all.indexOf(text)
    if (at < 0) continue
    from = at + text.length
    const parts = free.filter(
      (block, index) => starts[index]! < at + text.length && starts[index]! + block.compact.length > at
    )
    // A sentence within a much longer text is a quotation, not the blog's block.
    if (parts.length === 1 && parts[0]!.compact.length > text.length * 12) continue
    used.push(...parts)
    match.found = [{ ...parts[0]!, nodes: parts.flatMap(({ nodes }) => nodes) }]
    match.similarity = parts.map(({ compact: pressed }) => pressed).join('') === text ? 1 : 0.99
  }
  return used
}

/**
 * Chooses one of several blocks with the same text: rendered blocks in the article first, in the
 * order in which the blog repeats the text.
 */
export function pickMatch(
  { own, found }: Match,
  { copy, article }: { copy: number; article: Element | null }
): TextBlock | null {
  if (found.length === 0) return null
  const inArticle = found.filter(({ element }) => article?.contains(element) ?? true)
  const near = inArticle.length > 0 ? inArticle : found
  const rendered = near.filter((block) => rectsOf(block).length > 0)
  const list = rendered.length > 0 ? rendered : near
  return list[Math.min(copy, list.length - 1)] ?? own
}

/**
 * The blog in the page: the deepest element with nine tenths of its longer blocks, and the frame
 * that the site puts around it.
 */
export interface Article {
  root: Element
  frame: Element
}

/** Null if less than a fifth of the blog's text is in the page, too little to measure its layout. */
export function findArticle(matches: Match[]): Article | null {
  const total = matches.reduce((sum, { own }) => sum + own.compact.length, 0)
  const there = matches.reduce((sum, { own, similarity }) => sum + own.compact.length * similarity, 0)
  if (total === 0 || there / total < 0.2) return null
  const long = matches.filter(
    ({ own, found }) => found.length > 0 && own.compact.length >= (isDense(own.compact) ? 8 : 20)
  )
  const counted = long.length > 0 ? long : matches.filter(({ found }) => found.length > 0)
  const counts = new Map<Element, number>()
  for (const { found } of counted) {
    const held = new Set(found.flatMap(({ element }) => selfAndAncestors(element)))
    for (const element of held) counts.set(element, (counts.get(element) ?? 0) + 1)
  }
  let [root, depth] = [document.body as Element, 0]
  for (const [element, count] of counts) {
    const own = selfAndAncestors(element).length
    if (count >= Math.max(1, counted.length * 0.9) && own > depth) [root, depth] = [element, own]
  }
  if (counted.length === 1) root = composedParent(root) ?? root
  return { root, frame: composedClosest(root, 'article, main, [role=main]') ?? composedParent(root) ?? root }
}
