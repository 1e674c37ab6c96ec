/// <reference lib="dom" />
import type { Match } from './matching.ts'
import { isDense } from './text-folding.ts'
import { lineOf, nearest, parentOf } from './tree.ts'

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
  const total = matches.reduce((sum, { own }) => sum + own.pressed.length, 0)
  const there = matches.reduce((sum, { own, similarity }) => sum + own.pressed.length * similarity, 0)
  if (total === 0 || there / total < 0.2) return null
  const long = matches.filter(
    ({ own, found }) => found.length > 0 && own.pressed.length >= (isDense(own.pressed) ? 8 : 20)
  )
  const counted = long.length > 0 ? long : matches.filter(({ found }) => found.length > 0)
  const counts = new Map<Element, number>()
  for (const { found } of counted) {
    const held = new Set(found.flatMap(({ element }) => lineOf(element)))
    for (const element of held) counts.set(element, (counts.get(element) ?? 0) + 1)
  }
  let [root, depth] = [document.body as Element, 0]
  for (const [element, count] of counts) {
    const own = lineOf(element).length
    if (count >= Math.max(1, counted.length * 0.9) && own > depth) [root, depth] = [element, own]
  }
  if (counted.length === 1) root = parentOf(root) ?? root
  return { root, frame: nearest(root, 'article, main, [role=main]') ?? parentOf(root) ?? root }
}
