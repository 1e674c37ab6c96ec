/// <reference lib="dom" />
import { selfAndAncestors, composedClosest, composedParent } from './dom.ts'
import { diceOf, isDense, compactText, trigramsOf, rectsOf, type TextBlock } from './text-blocks.ts'

/** One of our blocks and the page's blocks that may be it, the same text or the nearest one. */
export interface Match {
  own: TextBlock
  found: TextBlock[]
  similarity: number
}

/**
 * Finds our blocks in the page: the same text; the same text cut otherwise (two blocks for one of
 * ours, or one for two); one that is the same but for a short
 * addition (a mark, a button "Copy"); or one that shares most of its trigrams. A block of the page
 * that is the same text as one of ours is never taken for a changed other.
 */
export function matchBlocks(own: TextBlock[], page: TextBlock[]): Match[] {
  const byText = Map.groupBy(page, ({ compact: pressed }) => pressed)
  const matches: Match[] = own.map((block) => ({
    own: block,
    found: byText.get(block.compact) ?? [],
    similarity: byText.has(block.compact) ? 1 : 0
  }))
  const taken = new Set(matches.flatMap(({ found }) => found))
  // Text with tags in it is our HTML as letters, not our text.
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
        block.compact.includes(text) && block.compact.length - text.length <= Math.max(6, text.length * 0.05)
      const similarity = isAdded ? 0.99 : Math.min(0.984, diceOf(trigrams, others))
      if (similarity >= (text.length < 25 ? 0.7 : 0.6)) pairs.push({ match, block, similarity })
    }
  }
  for (const { match, block, similarity } of pairs.sort((one, other) => other.similarity - one.similarity)) {
    if (match.similarity > 0 || taken.has(block)) continue
    taken.add(block)
    Object.assign(match, { found: [block], similarity })
  }
  return matches
}

/** What a text is but for entities that stand in it as letters. */
export const withoutEntities = (text: string): string =>
  text.replace(/&(?:[a-z]{2,8}|#\d{2,6}|#x[0-9a-f]{2,5});/gi, ' ')
export const showsTags = (text: string): boolean =>
  (text.match(
    /<\/?(?:p|h[1-6]|ul|ol|li|div|span|strong|em|figure|figcaption|img|table|blockquote|a|br)\b[^<>]{0,200}>/gi
  )?.length ?? 0) > 2

/** Finds texts that the page cuts otherwise; returns the blocks of the page that are used up. */
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
    // A sentence that stands somewhere within a much longer text is a quotation, not our block.
    if (parts.length === 1 && parts[0]!.compact.length > text.length * 12) continue
    used.push(...parts)
    match.found = [{ ...parts[0]!, nodes: parts.flatMap(({ nodes }) => nodes) }]
    match.similarity = parts.map(({ compact: pressed }) => pressed).join('') === text ? 1 : 0.99
  }
  return used
}

/**
 * Which of the blocks with our text is ours: of as many as we have ourselves, in their order, those
 * within the article come first, and rendered ones before others.
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
 * Where the blog stands: the deepest element that holds nine tenths of its longer blocks, and the
 * frame that the site puts around it.
 */
export interface Article {
  root: Element
  frame: Element
}

/**
 * Null where less than a fifth of our text is in the page: then nothing can be said of how it
 * looks.
 */
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
