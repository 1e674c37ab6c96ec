import type { BlockSnapshot } from '../../../ports/browser/port/page-snapshot.ts'
import { isInvisible, ownImages } from './own-images.ts'
import type { Sight } from './rule.ts'

const stepsOf = (selector: string): string[] => selector.split(' > ')

/**
 * Whether all of these blocks are captions whose picture cannot be seen either: one thing hides
 * both, and it is told of the picture.
 */
export function areCaptionsOfInvisible(blocks: readonly BlockSnapshot[], sight: Sight): boolean {
  const hidden = ownImages(sight)
    .filter(isInvisible)
    .map(({ selector }) => stepsOf(selector))
  const hasHiddenPicture = ({ place }: BlockSnapshot): boolean => {
    const figure = stepsOf(place?.selector ?? '').at(-2)
    return figure !== undefined && hidden.some((steps) => steps.includes(figure))
  }
  return blocks.every((block) => block.tag === 'figcaption' && hasHiddenPicture(block))
}
