import type { ImageSnapshot } from '../../../../ports/browser/port/media-snapshot.ts'
import type { BlockSnapshot } from '../../../../ports/browser/port/page-snapshot.ts'
import type { HitPlace, RuleHit, RuleInput } from '../rule.ts'
import { normalizeText } from './text.ts'

const PLACEHOLDER_PX = 2
/** Pages are scrolled no farther (MAX_SCROLL_PX of the browser adapter), and lazy images load near the viewport. */
const SCROLLED_PX = 30_000

/** The images of our HTML that are in the page. Of several copies, the best one. */
export function getBlogImages({ snapshot }: RuleInput): ImageSnapshot[] {
  const best = new Map<number, ImageSnapshot>()
  for (const image of snapshot.images) {
    const other = image.index === null ? undefined : best.get(image.index)
    if (image.index !== null && (other === undefined || getQuality(image) > getQuality(other))) {
      best.set(image.index, image)
    }
  }
  return [...best.values()].sort((a, b) => a.index! - b.index!)
}

const getQuality = (image: ImageSnapshot): number =>
  Number(isLoaded(image)) * 2 + Number(image.rendered) + image.visibleShare / 2

/** The images of our HTML that are not in the page. A site may serve one from a URL of its own. */
export function getMissingImages({ snapshot: { images, expectedImages } }: RuleInput): { src: string; alt: string }[] {
  const present = new Set(images.map(({ index }) => index))
  const hasSameAlt = (alt: string): boolean =>
    alt !== '' && images.some((image) => image.index === null && normalizeText(image.alt ?? '') === normalizeText(alt))
  return expectedImages.filter(({ alt }, index) => !present.has(index) && !hasSameAlt(alt))
}

/** Whether loading the image failed. */
export const isBroken = ({ complete, src, naturalWidth }: ImageSnapshot): boolean =>
  complete && src !== '' && naturalWidth === 0

/** Whether the image was not requested or has not arrived: nothing or a placeholder is shown. */
function isPending(image: ImageSnapshot): boolean {
  const { src, complete, naturalWidth, naturalHeight, lazySrc, box } = image
  if (isBroken(image)) return false
  if (src === '' || !complete || (naturalWidth <= PLACEHOLDER_PX && naturalHeight <= PLACEHOLDER_PX)) return true
  return (
    lazySrc !== null && lazySrc !== '' && !src.endsWith(lazySrc) && naturalWidth < Math.min(64, (box?.width ?? 0) / 3)
  )
}

/**
 * Whether the browser deferred the image because it is hidden or left of the page: lazy images are
 * loaded when they come near the viewport.
 */
const isDeferred = ({ complete, src, lazySrc, rendered, box }: ImageSnapshot): boolean =>
  !complete && src !== '' && !lazySrc && (!rendered || (box !== null && box.x + box.width <= 0))

/** Whether the image is in the page but not visible, for another reason than its own loading. */
export const isInvisible = (image: ImageSnapshot): boolean =>
  isDeferred(image) || (isLoaded(image) && (!image.rendered || image.opacity < 0.15 || image.visibleShare < 0.3))

const isBelowScrolled = ({ box }: ImageSnapshot): boolean => box !== null && box.y > SCROLLED_PX

/** Whether the image is pending although a reader would see it. */
export const isNeverLoaded = (image: ImageSnapshot): boolean =>
  isPending(image) && !isDeferred(image) && !isBelowScrolled(image)

export const isLoaded = (image: ImageSnapshot): boolean => !isBroken(image) && !isPending(image)

/** Reports images. The extent is their share of the images in our HTML. */
export function reportImages(
  { snapshot }: RuleInput,
  bad: readonly ImageSnapshot[],
  evidence: Record<string, unknown> = {}
): RuleHit | null {
  if (bad.length === 0) return null
  return {
    extent: Math.min(1, bad.length / Math.max(1, snapshot.expectedImages.length)),
    places: bad.map(({ selector, box }): HitPlace => ({ place: { selector, box } })),
    evidence: {
      images: bad.slice(0, 5).map(({ src, lazySrc }) => (src || lazySrc || '').slice(0, 300)),
      ...evidence
    }
  }
}

const getPath = (selector: string): string[] => selector.split(' > ')

/**
 * Whether all of these blocks are captions of invisible images: the same element hides both, and
 * the image is reported.
 */
export function areCaptionsOfInvisibleImages(blocks: readonly BlockSnapshot[], input: RuleInput): boolean {
  const hidden = getBlogImages(input)
    .filter(isInvisible)
    .map(({ selector }) => getPath(selector))
  const hasInvisibleImage = ({ place }: BlockSnapshot): boolean => {
    const figure = getPath(place?.selector ?? '').at(-2)
    return figure !== undefined && hidden.some((path) => path.includes(figure))
  }
  return blocks.every((block) => block.tag === 'figcaption' && hasInvisibleImage(block))
}
