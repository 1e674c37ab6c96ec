import type { ImageFact, Place } from '../../../ports/browser/facts.ts'
import type { Found, Sight } from './rule.ts'

const PLACEHOLDER_PX = 2

/** The images of our own HTML that are in the page; of several copies of one the best. */
export function ownImages({ facts }: Sight): ImageFact[] {
  const best = new Map<number, ImageFact>()
  for (const image of facts.images) {
    const other = image.index === null ? undefined : best.get(image.index)
    if (image.index !== null && (other === undefined || worth(image) > worth(other))) best.set(image.index, image)
  }
  return [...best.values()].sort((a, b) => a.index! - b.index!)
}

const worth = (image: ImageFact): number =>
  Number(isLoaded(image)) * 2 + Number(image.rendered) + image.visibleShare / 2

/** An address was given, and no picture came of it. */
export const isBroken = ({ complete, src, naturalWidth }: ImageFact): boolean =>
  complete && src !== '' && naturalWidth === 0

/**
 * The picture itself has not been asked for, or has not arrived: what is there is nothing, or
 * stands in for it.
 */
function isWaiting(image: ImageFact): boolean {
  const { src, complete, naturalWidth, naturalHeight, waitingSrc, box } = image
  if (isBroken(image)) return false
  if (src === '' || !complete || (naturalWidth <= PLACEHOLDER_PX && naturalHeight <= PLACEHOLDER_PX)) return true
  return (
    waitingSrc !== null &&
    waitingSrc !== '' &&
    !src.endsWith(waitingSrc) &&
    naturalWidth < Math.min(64, (box?.width ?? 0) / 3)
  )
}

/**
 * Not asked for because it is not displayed, or parked beside the page: a browser loads a lazy
 * picture when it comes near to be seen.
 */
const isPutOff = ({ complete, src, waitingSrc, rendered, box }: ImageFact): boolean =>
  !complete && src !== '' && !waitingSrc && (!rendered || (box !== null && box.x + box.width <= 0))

/** There, and not to be seen; the picture itself is no reason. */
export const isInvisible = (image: ImageFact): boolean =>
  isPutOff(image) || (isLoaded(image) && (!image.rendered || image.opacity < 0.15 || image.visibleShare < 0.3))

/** Waits though a reader would see it. */
export const isNeverLoaded = (image: ImageFact): boolean => isWaiting(image) && !isPutOff(image)

export const isLoaded = (image: ImageFact): boolean => !isBroken(image) && !isWaiting(image)

/** Tells images of ours: the share of those that our HTML has. */
export function findImages(
  { facts }: Sight,
  bad: readonly ImageFact[],
  evidence: Record<string, unknown>
): Found | null {
  if (bad.length === 0) return null
  const places = bad.map(({ selector, box }): { place: Place } => ({ place: { selector, box } }))
  return {
    extent: Math.min(1, bad.length / Math.max(1, facts.expectedImages.length)),
    places,
    evidence: {
      images: bad.slice(0, 5).map(({ src, waitingSrc }) => (src || waitingSrc || '').slice(0, 300)),
      ...evidence
    }
  }
}
