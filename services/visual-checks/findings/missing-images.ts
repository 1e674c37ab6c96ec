import { normalText } from './normal-text.ts'
import type { Sight } from './rule.ts'

/**
 * The images of our HTML that are not in the page. A site may serve our picture under another
 * address of its own; its description tells it.
 */
export function missingImages({ facts: { images, expectedImages } }: Sight): { src: string; alt: string }[] {
  const here = new Set(images.map(({ index }) => index))
  const isDescribed = (alt: string): boolean =>
    alt !== '' && images.some((image) => image.index === null && normalText(image.alt ?? '') === normalText(alt))
  return expectedImages.filter(({ alt }, index) => !here.has(index) && !isDescribed(alt))
}
