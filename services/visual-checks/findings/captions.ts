import type { BlockFact } from '../../../ports/browser/facts.ts'
import { isInvisible, ownImages } from './own-images.ts'
import type { Sight } from './rule.ts'

const stepsOf = (selector: string): string[] => selector.split(' > ')

/**
 * Whether all of these blocks are captions whose picture cannot be seen either: one thing hides
 * both, and it is told of the picture.
 */
export function areCaptionsOfInvisible(blocks: readonly BlockFact[], sight: Sight): boolean {
  const hidden = ownImages(sight)
    .filter(isInvisible)
    .map(({ selector }) => stepsOf(selector))
  const hasHiddenPicture = ({ place }: BlockFact): boolean => {
    const figure = stepsOf(place?.selector ?? '').at(-2)
    return figure !== undefined && hidden.some((steps) => steps.includes(figure))
  }
  return blocks.every((block) => block.tag === 'figcaption' && hasHiddenPicture(block))
}
