import type { ElementLocation } from './element-location.ts'

export interface ImageSimilarity {
  /** The mean difference of the colors, 0 to 1. */
  colorDifference: number
  /** Pearson's correlation of the lightness, -1 to 1. */
  shapeCorrelation: number
  /**
   * The share of the edges between light and dark parts that run the other way: 0 for the same picture,
   * about 0.5 for another one. Null for pictures with hardly any edges; absent in older snapshots.
   */
  edgeDifference?: number | null
}

/**
 * An image of the blog's HTML. `width`: as declared there, absent if not. `blocksBefore`: how many blocks
 * of text precede it; absent in older snapshots.
 */
export interface ExpectedImage {
  src: string
  alt: string
  width?: number
  blocksBefore?: number
}

/**
 * The pixels of an image in the page, compared with its file drawn at the same place. Colors do not
 * matter, and frames at the edges are not compared.
 */
export interface ImageAppearance {
  /** Pearson's correlation of the lightness, -1 to 1. */
  correlation: number
  /** The share of the parts of the picture that show something else than the file. */
  differentShare?: number
  /** The contrast in the page by that of the file: 1 for the same, 0 for an empty place. */
  contrast: number
  /** The steps between neighboring pixels, relative to the contrast: 1 for the same, less if it is blurred. */
  sharpness: number
}

export interface ImageSnapshot extends ElementLocation {
  /** The index of the image in the blog's HTML. Null for the site's own images. */
  index: number | null
  /** Matched by its URL, not only by its alternative text. */
  matchedByUrl: boolean
  /** Compared with the image in the blog's HTML, or the crop of it that fits best. Null if not compared. */
  similarity: ImageSimilarity | null
  inArticle: boolean
  src: string
  /** The URL that a script should load, from `data-src` or a similar attribute. */
  lazySrc: string | null
  alt: string | null
  complete: boolean
  naturalWidth: number
  naturalHeight: number
  objectFit: string
  /** Between the blog's blocks of text. */
  betweenBlocks: boolean
  rendered: boolean
  opacity: number
  /** Of its blur filters. Absent if nobody sees it. */
  blurPx?: number
  /** The share of the box that is neither clipped nor outside of the page. */
  visibleShare: number
  /** How many of the blog's blocks precede it in the page. Absent for the site's own images, and in older snapshots. */
  blocksBefore?: number
  /** The text of its caption. Absent without one. */
  caption?: string
  /** Width by height of the file's area. Absent if the box has this shape. */
  contentRatio?: number
  /** The share of the file's area that the box shows. Absent if it shows all of it. */
  shownShare?: number
  /** Absent if the pixels were not compared. */
  appearance?: ImageAppearance
}

/** A video of the blog's HTML, and the element of the page that shows it. */
export interface EmbedSnapshot extends ElementLocation {
  /** The URL in the blog. */
  expected: string
  /** `placeholder`: an element names the video, such as a picture to click. */
  kind: 'frame' | 'placeholder' | 'missing'
  /** The URL of the frame. '' without one. */
  src: string
  width: number
  height: number
  visible: boolean
}
