import type { BlockSnapshot, ViewportSnapshot } from '../../../ports/browser/port/page-snapshot.ts'

const isHeading = (tag: string | null): boolean => tag !== null && /^h[1-6]$/.test(tag)

/**
 * Whether a heading of ours is none in the page and does not look like one: in the size and weight
 * of the running text.
 */
export function isFlattened(
  { tag, actualTag, typography }: BlockSnapshot,
  { blocks }: Pick<ViewportSnapshot, 'blocks'>
): boolean {
  if (!isHeading(tag) || actualTag === null || isHeading(actualTag) || typography === null || typography.bold)
    return false
  const running = blocks
    .flatMap((block) => (block.tag === 'p' && block.typography !== null ? [block.typography.fontPx] : []))
    .sort((a, b) => a - b)
  const usual = running[running.length >> 1]
  return usual !== undefined && typography.fontPx < usual * 1.1
}
