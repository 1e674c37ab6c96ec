import type { FindingLocation, VisualFinding } from '../../../../schemas/visual-check.ts'
import { cut } from './evidence.ts'

const MOST_PLACES = 3
const MOST_SELECTOR = 120

/**
 * Places of a finding for people: those of the same selector together, the first three of them, and
 * how many more there are.
 */
export function places({ locations, count }: VisualFinding): { selector: string; detail: string }[] {
  const bySelector = Map.groupBy(locations, ({ selector }) => selector)
  const shown = [...bySelector].slice(0, MOST_PLACES)
  const told = shown.reduce((sum, [, group]) => sum + group.length, 0)
  const more = Math.max(locations.length, count) - told
  return [
    ...shown.map(([selector, group]) => ({ selector: cut(selector, MOST_SELECTOR), detail: detail(group) })),
    ...(more > 0 && shown.length > 0 ? [{ selector: '', detail: `and ${more} more` }] : [])
  ]
}

/** `mobile 350 × 40 at 20, 300 · block 3`. */
function detail(group: FindingLocation[]): string {
  const boxes = [...Map.groupBy(group, ({ viewport }) => viewport)].map(([viewport, [first]]) => {
    const box = first!.box
    return box === null
      ? viewport
      : `${viewport} ${Math.round(box.width)} × ${Math.round(box.height)} at ${Math.round(box.x)}, ${Math.round(box.y)}`
  })
  const block = group.find((location) => location.block !== null)?.block
  return [...boxes, ...(block === undefined ? [] : [`block ${block}`])].join(' · ')
}
