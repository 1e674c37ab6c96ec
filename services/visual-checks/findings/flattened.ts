import type { BlockFact, ViewportFacts } from '../../../ports/browser/facts.ts'

const isHeading = (tag: string | null): boolean => tag !== null && /^h[1-6]$/.test(tag)

/**
 * Whether a heading of ours is none in the page and does not look like one: in the size and weight
 * of the running text.
 */
export function isFlattened({ tag, shownAs, type }: BlockFact, { blocks }: Pick<ViewportFacts, 'blocks'>): boolean {
  if (!isHeading(tag) || shownAs === null || isHeading(shownAs) || type === null || type.bold) return false
  const running = blocks
    .flatMap((block) => (block.tag === 'p' && block.type !== null ? [block.type.fontPx] : []))
    .sort((a, b) => a - b)
  const usual = running[running.length >> 1]
  return usual !== undefined && type.fontPx < usual * 1.1
}
