import type { ImageSnapshot, ElementLocation } from '../../../ports/browser/port/page-snapshot.ts'
import type { Found, Sight } from './rule.ts'

const PLACEHOLDER_PX = 2

/** The images of our own HTML that are in the page; of several copies of one the best. */
export function ownImages({ facts }: Sight): ImageSnapshot[] {
  const best = new Map<number, ImageSnapshot>()
  for (const image of facts.images) {
    const other = image.index === null ? undefined : best.get(image.index)
    if (image.index !== null && (other === undefined || worth(image) > worth(other))) best.set(image.index, image)
  }
  return [...best.values()].sort((a, b) => a.index! - b.index!)
}

const worth = (image: ImageSnapshot): number =>
  Number(isLoaded(image)) * 2 + Number(image.rendered) + image.visibleShare / 2

/** An address was given, and no picture came of it. */
export const isBroken = ({ complete, src, naturalWidth }: ImageSnapshot): boolean =>
  complete && src !== '' && naturalWidth === 0

/**
 * The picture itself has not been asked for, or has not arrived: what is there is nothing, or
 * stands in for it.
 */
function isWaiting(image: ImageSnapshot): boolean {
  const { src, complete, naturalWidth, naturalHeight, lazySrc, box } = image
  if (isBroken(image)) return false
  if (src === '' || !complete || (naturalWidth <= PLACEHOLDER_PX && naturalHeight <= PLACEHOLDER_PX)) return true
  return (
    lazySrc !== null && lazySrc !== '' && !src.endsWith(lazySrc) && naturalWidth < Math.min(64, (box?.width ?? 0) / 3)
  )
}

/**
 * Not asked for because it is not displayed, or parked beside the page: a browser loads a lazy
 * picture when it comes near to be seen.
 */
const isPutOff = ({ complete, src, lazySrc, rendered, box }: ImageSnapshot): boolean =>
  !complete && src !== '' && !lazySrc && (!rendered || (box !== null && box.x + box.width <= 0))

/** There, and not to be seen; the picture itself is no reason. */
export const isInvisible = (image: ImageSnapshot): boolean =>
  isPutOff(image) || (isLoaded(image) && (!image.rendered || image.opacity < 0.15 || image.visibleShare < 0.3))

/** Waits though a reader would see it. */
export const isNeverLoaded = (image: ImageSnapshot): boolean => isWaiting(image) && !isPutOff(image)

export const isLoaded = (image: ImageSnapshot): boolean => !isBroken(image) && !isWaiting(image)

/** Tells images of ours: the share of those that our HTML has. */
export function findImages(
  { facts }: Sight,
  bad: readonly ImageSnapshot[],
  evidence: Record<string, unknown>
): Found | null {
  if (bad.length === 0) return null
  const places = bad.map(({ selector, box }): { place: ElementLocation } => ({ place: { selector, box } }))
  return {
    extent: Math.min(1, bad.length / Math.max(1, facts.expectedImages.length)),
    places,
    evidence: {
      images: bad.slice(0, 5).map(({ src, lazySrc }) => (src || lazySrc || '').slice(0, 300)),
      ...evidence
    }
  }
}
