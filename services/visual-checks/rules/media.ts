import type { ImageSnapshot } from '../../../ports/browser/port/media-snapshot.ts'
import { getArticlePlaces, hasFullPageOverlay } from './helpers/blocks.ts'
import {
  getBlogImages,
  getMissingImages,
  isBroken,
  isInvisible,
  isLoaded,
  isNeverLoaded,
  reportImages
} from './helpers/images.ts'
import { getTextMatch } from './helpers/text-match.ts'
import { matchesText, normalizeText, round } from './helpers/text.ts'
import type { Rule, RuleHit, RuleInput } from './rule.ts'

function detectMissing(input: RuleInput): RuleHit | null {
  const { expectedImages, article } = input.snapshot
  const missing = getMissingImages(input)
  // Without an article, images were not matched.
  if (missing.length === 0 || article === null || getTextMatch(input) !== 'present') return null
  return {
    extent: missing.length / expectedImages.length,
    places: getArticlePlaces(input.snapshot),
    count: missing.length,
    evidence: { expected: expectedImages.length, missing: missing.slice(0, 5).map(({ src }) => src.slice(0, 300)) }
  }
}

const DISTORTION_TOLERANCE = 0.12
/** Smaller images are icons and lines. */
const MIN_IMAGE_PX = 20
const STRIP_PX = 80

const isLargerThanIcon = ({ rendered, box }: ImageSnapshot): boolean =>
  rendered && box !== null && box.width > MIN_IMAGE_PX && box.height > MIN_IMAGE_PX

/** The displayed aspect ratio by the image's own. Frames and turns of a few degrees distort nothing. */
const getDistortion = ({ box, contentRatio, naturalWidth, naturalHeight }: ImageSnapshot): number =>
  box && naturalWidth > 0 && naturalHeight > 0 && box.height > 0
    ? (contentRatio ?? box.width / box.height) / (naturalWidth / naturalHeight)
    : 1

/** Whether an image is cropped to a box so flat or narrow that hardly anything is visible. */
function isStrip(image: ImageSnapshot): boolean {
  const { objectFit, box, naturalWidth, naturalHeight } = image
  if (objectFit !== 'cover' || !isLargerThanIcon(image) || box === null || naturalWidth === 0) return false
  const ratio = box.width / box.height / (naturalWidth / naturalHeight)
  return (
    Math.min(box.width, box.height) < STRIP_PX &&
    Math.min(naturalWidth, naturalHeight) > STRIP_PX &&
    Math.min(ratio, 1 / ratio) < 0.25
  )
}

/** Of a picture that a site crops to another shape, even to a banner, readers see more. */
const MIN_SHOWN_SHARE = 0.2
/** Of a picture that is not scaled to its box: it shows a corner or the middle instead of a shape. */
const MIN_UNSCALED_SHARE = 0.5

const isCroppedToPart = (image: ImageSnapshot): boolean =>
  isLargerThanIcon(image) &&
  isLoaded(image) &&
  (image.shownShare ?? 1) < (image.objectFit === 'none' ? MIN_UNSCALED_SHARE : MIN_SHOWN_SHARE)

function isDistorted(image: ImageSnapshot): boolean {
  if (isStrip(image) || isCroppedToPart(image)) return true
  if (image.objectFit !== 'fill' || !isLargerThanIcon(image) || !isLoaded(image)) return false
  const ratio = getDistortion(image)
  return ratio > 1 + DISTORTION_TOLERANCE || ratio < 1 - DISTORTION_TOLERANCE
}

function detectDistorted(input: RuleInput): RuleHit | null {
  const images = getBlogImages(input).filter(isDistorted)
  const [first] = images
  if (first === undefined) return null
  const { shownShare } = first
  return reportImages(input, images, {
    ratio: round(getDistortion(first), 2),
    ...(shownShare === undefined ? {} : { shownShare })
  })
}

function detectInvisible(input: RuleInput): RuleHit | null {
  if (hasFullPageOverlay(input)) return null
  const images = getBlogImages(input).filter((image) => isInvisible(image) || isFaint(image))
  const [first] = images
  if (first === undefined) return null
  const { rendered, opacity, visibleShare } = first
  return reportImages(input, images, {
    ...{ rendered, opacity, visibleShare: round(visibleShare) },
    ...(first.appearance === undefined ? {} : { contrast: first.appearance.contrast })
  })
}

/** Of the contrast of the file. Sites dim pictures for dark themes by less. */
const MIN_CONTRAST = 0.3
/** Below it, nothing of the file can be recognized in the pixels of the page. */
const MIN_CORRELATION = 0.5
const MIN_SHARPNESS = 0.4
/** Of the parts of a picture. Captions and buttons cover fewer. */
const MAX_DIFFERENT_SHARE = 0.2

/** Whether hardly anything of a picture can be seen. */
const isFaint = ({ appearance, blurPx }: ImageSnapshot): boolean =>
  blurPx === undefined && appearance !== undefined && appearance.contrast < MIN_CONTRAST

/** Whether a picture is blurred on its way from the file to the page. */
const isBlurred = (image: ImageSnapshot): boolean =>
  image.blurPx !== undefined ||
  (image.appearance !== undefined &&
    !isFaint(image) &&
    image.appearance.correlation >= MIN_CORRELATION &&
    image.appearance.sharpness < MIN_SHARPNESS)

/** Whether the pixels of a picture are not those of its file: inverted, mirrored, covered, in pieces. */
export const isUnlikeFile = (image: ImageSnapshot): boolean =>
  image.appearance !== undefined &&
  image.blurPx === undefined &&
  !isFaint(image) &&
  (image.appearance.correlation < MIN_CORRELATION || (image.appearance.differentShare ?? 0) > MAX_DIFFERENT_SHARE)

/** Above this magnification, single pixels are visible. */
const MAX_MAGNIFICATION = 2.5
const MIN_MAGNIFIED_PX = 100

/** How much larger than its pixels an image is shown. Vector images have no pixels. */
function getMagnification({ box, src, naturalWidth, naturalHeight, objectFit }: ImageSnapshot): number {
  if (box === null || naturalWidth === 0 || naturalHeight === 0) return 1
  if (/\.svg(?:[?#]|$)|^data:image\/svg/i.test(src) || /none|scale-down/.test(objectFit)) return 1
  const [x, y] = [box.width / naturalWidth, box.height / naturalHeight]
  return objectFit === 'cover' ? Math.max(x, y) : Math.min(x, y)
}

function detectLowResolution(input: RuleInput): RuleHit | null {
  const shown = getBlogImages(input).filter((image) => isLoaded(image) && image.rendered && !isInvisible(image))
  const isMagnified = (image: ImageSnapshot): boolean =>
    (image.box?.width ?? 0) >= MIN_MAGNIFIED_PX && getMagnification(image) > MAX_MAGNIFICATION
  const images = shown.filter((image) => isMagnified(image) || isBlurred(image))
  const [first] = images
  if (first === undefined) return null
  const hit = reportImages(input, images, {
    ...{ naturalWidth: first.naturalWidth, shownWidth: first.box?.width, factor: round(getMagnification(first), 1) },
    ...(first.appearance === undefined ? {} : { sharpness: first.appearance.sharpness }),
    ...(first.blurPx === undefined ? {} : { blurPx: first.blurPx })
  })
  if (hit === null || images.some(isMagnified)) return hit
  return {
    ...hit,
    ...(images.some(({ blurPx }) => blurPx !== undefined) ? { severity: 'high' as const } : {}),
    message: 'An image is blurred, although its file is sharp.',
    advice: 'Remove `filter: blur()` from the image and its ancestors. Look for a preview that stays after loading.'
  }
}

/** Of the widest block of text. A floated image may take a third of the column. */
const MIN_WIDTH_SHARE = 0.2
const MAX_TINY_PX = 120
/** Smaller images are icons in our HTML, too. */
const MIN_CONTENT_PX = 160

/** Whether a picture is shown so small that nothing on it can be recognized. */
export function isTooSmall(image: ImageSnapshot, { snapshot }: RuleInput): boolean {
  const { box, rendered, naturalWidth, index } = image
  if (box === null || !rendered || !isLoaded(image) || index === null) return false
  // Text in a scroll container may be wider than the article.
  const widest = Math.max(0, ...snapshot.blocks.map(({ place }) => place?.box?.width ?? 0))
  const column = Math.min(widest, snapshot.article?.box?.width ?? widest)
  const ownWidth = snapshot.expectedImages[index]?.width ?? naturalWidth
  return (
    Math.max(ownWidth, naturalWidth) >= MIN_CONTENT_PX &&
    box.width > 2 &&
    box.width < Math.min(MAX_TINY_PX, column * MIN_WIDTH_SHARE) &&
    box.width * 2.5 < ownWidth
  )
}

function detectTooSmall(input: RuleInput): RuleHit | null {
  const images = getBlogImages(input).filter((image) => isTooSmall(image, input))
  const box = images[0]?.box
  return reportImages(input, images, box ? { width: box.width, height: box.height } : {})
}

/** Smaller images are icons, avatars and logos. */
const MIN_FOREIGN_PX = 100

/** Whether an image between our blocks is not from the blog. An image with our alt text is. */
const isForeign = (image: ImageSnapshot, { snapshot }: RuleInput): boolean =>
  image.index === null &&
  image.betweenBlocks &&
  image.inArticle &&
  image.rendered &&
  isLoaded(image) &&
  image.box !== null &&
  image.box.width >= MIN_FOREIGN_PX &&
  image.box.height >= MIN_FOREIGN_PX &&
  !snapshot.expectedImages.some(({ alt }) => alt !== '' && normalizeText(alt) === normalizeText(image.alt ?? ''))

/**
 * Whether an image of ours is shown once more between our blocks. Copies that a script shows in another
 * size, such as in a row of previews, are smaller.
 */
function isRepeated(image: ImageSnapshot, { snapshot }: RuleInput): boolean {
  const { index, betweenBlocks, inArticle, rendered, box, src } = image
  if (index !== null || !betweenBlocks || !inArticle || !rendered || box === null || box.width < MIN_FOREIGN_PX) {
    return false
  }
  return snapshot.images.some(
    (other) =>
      other.index !== null &&
      other.betweenBlocks &&
      other.rendered &&
      other.box !== null &&
      getFile(other.src) === getFile(src) &&
      box.width >= other.box.width * 0.8 &&
      (box.y >= other.box.y + other.box.height / 2 || other.box.y >= box.y + box.height / 2)
  )
}

/** Of fewer pixels, hardly anything is left to compare. They are reported as too few. */
const MIN_COMPARED_PX = 64

/**
 * Whether an image with our alt text shows something else. Other sizes, formats and crops of our
 * image stay below these limits.
 */
function isReplaced({ similarity, rendered, naturalWidth }: ImageSnapshot): boolean {
  if (similarity === null || !rendered || naturalWidth < MIN_COMPARED_PX) return false
  const { colorDifference, shapeCorrelation, edgeDifference = null } = similarity
  return (
    (edgeDifference !== null && edgeDifference > 0.4 && shapeCorrelation < 0.5) ||
    colorDifference > 0.25 ||
    (colorDifference > 0.12 && shapeCorrelation < 0.3) ||
    (colorDifference > 0.2 && shapeCorrelation < 0.8)
  )
}

const getFile = (src: string): string => src.split(/[?#]/)[0]!.split('/').at(-1)!.toLowerCase()

/** Whether an image that has the description of one of our images shows the file of another one. */
function hasOtherFile({ index, matchedByUrl, src }: ImageSnapshot, { snapshot }: RuleInput): boolean {
  if (index === null || matchedByUrl || getFile(src) === '') return false
  const files = snapshot.expectedImages.map((image) => getFile(image.src))
  return files[index] !== getFile(src) && files.includes(getFile(src))
}

function detectForeign(input: RuleInput): RuleHit | null {
  const images = input.snapshot.images.filter(
    (image) => isForeign(image, input) || isRepeated(image, input) || isReplaced(image) || hasOtherFile(image, input)
  )
  const similarity = images.find((image) => image.similarity !== null)?.similarity
  return reportImages(input, images, similarity === undefined ? {} : { similarity })
}

/** The words of a description that say something; each sign of scripts without spaces. */
const getKeywords = (text: string): Set<string> =>
  new Set(
    normalizeText(text).match(
      /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]|[\p{L}\p{M}]{4,}/gu
    )
  )

/**
 * Whether a description has nothing in common with ours. A site may describe an image in other words, and leave the
 * description out if the caption has it. Without `alt`, axe-core reports it.
 */
function hasOtherAlt({ index, alt, caption = '' }: ImageSnapshot, { snapshot }: RuleInput): boolean {
  const own = index === null ? '' : (snapshot.expectedImages[index]?.alt ?? '')
  if (own === '' || alt === null) return false
  const shown = alt === '' ? caption : alt
  return !matchesText(shown, own) && getKeywords(shown).isDisjointFrom(getKeywords(own))
}

function detectOtherAlt(input: RuleInput): RuleHit | null {
  const images = getBlogImages(input).filter((image) => hasOtherAlt(image, input))
  const [first] = images
  if (first === undefined) return null
  const hit = reportImages(input, images)
  return hit && { ...hit, expected: input.snapshot.expectedImages[first.index!]!.alt, actual: first.alt ?? '' }
}

/** The blog's images. */
export const mediaRules: readonly Rule[] = [
  {
    code: 'IMAGE_BROKEN',
    category: 'media',
    severity: 'high',
    scope: 'article',
    version: 1,
    message: 'An image fails to load.',
    advice: "Check the image's URL, and that the page is allowed to load it.",
    detect: (input) => reportImages(input, getBlogImages(input).filter(isBroken))
  },
  {
    code: 'IMAGE_NOT_LOADED',
    category: 'media',
    severity: 'high',
    scope: 'article',
    version: 3,
    message: 'An image is never requested: its place is empty or shows a placeholder.',
    advice: 'Check the lazy-loading script, or use only `loading="lazy"`.',
    detect: (input) => reportImages(input, getBlogImages(input).filter(isNeverLoaded)),
    suppresses: { always: ['ENDLESS_LOADING'] }
  },
  {
    code: 'IMAGE_MISSING',
    category: 'media',
    severity: 'medium',
    scope: 'article',
    version: 2,
    message: 'An image of the blog is missing from the page.',
    advice: 'Keep the images in `htmlContent`. Look for a filter that removes them.',
    detect: detectMissing,
    suppresses: { ifNotLarger: ['BLOG_CSS_PARTLY_OVERRIDDEN'] }
  },
  {
    code: 'IMAGE_DISTORTED',
    category: 'media',
    severity: 'medium',
    scope: 'article',
    version: 6,
    message: 'An image is stretched, squeezed or cropped to a small part.',
    advice: "Keep the image's aspect ratio with `height: auto` or `object-fit: cover`.",
    detect: detectDistorted
  },
  {
    code: 'IMAGE_INVISIBLE',
    category: 'media',
    severity: 'high',
    scope: 'article',
    version: 4,
    message: 'An image is in the page but not visible.',
    advice: "Remove `display: none`, `opacity: 0`, zero heights and clipping from the image's ancestors.",
    detect: detectInvisible,
    // What covers an image may reach into its caption.
    suppresses: { ifNotLarger: ['LOOKS_DIFFERENT'] }
  },
  {
    code: 'IMAGE_LOW_RESOLUTION',
    category: 'media',
    severity: 'medium',
    scope: 'article',
    version: 3,
    message: 'An image is shown much larger than its pixels: it is blurred or blocky.',
    advice: 'Serve a larger file, such as one of `srcset` in `htmlContent`, or show the image smaller.',
    detect: detectLowResolution
  },
  {
    code: 'IMAGE_TOO_SMALL',
    category: 'media',
    severity: 'medium',
    scope: 'article',
    version: 1,
    message: 'An image is so small that it cannot be recognized.',
    advice: 'Show the image in the width of the text. Look for fixed widths for icons or avatars.',
    detect: detectTooSmall
  },
  {
    code: 'IMAGE_FOREIGN',
    category: 'media',
    severity: 'medium',
    scope: 'article',
    version: 5,
    message: 'An image between the paragraphs is not from the blog.',
    advice: 'Check which image the template inserts. Use the images in `htmlContent` unchanged.',
    detect: detectForeign,
    suppresses: { always: ['IMAGE_MISSING'] }
  },
  {
    code: 'IMAGE_ALT_CHANGED',
    category: 'media',
    severity: 'medium',
    scope: 'article',
    version: 1,
    message: 'The description of an image is not that of the blog.',
    advice: 'Keep the `alt` attributes of `htmlContent`: screen readers and search engines read them.',
    detect: detectOtherAlt
  }
]
