import type { ViewportName } from '../../../schemas/visual-check.ts'

/**
 * What is measured of a page in one viewport. Facts are plain data: whatever is found wrong follows
 * from them, without a browser. Lengths are CSS pixels, boxes are relative to the
 * document, shares are 0 to 1. Texts are as they stand in the page, white space folded.
 */
export interface Box {
  x: number
  y: number
  width: number
  height: number
}

/** Where something stands: for people and for the pictures. */
export interface ElementLocation {
  selector: string
  box: Box | null
}

/**
 * How much of a block's text a reader can see, and what takes the rest. Each share is of the area
 * of the block's text.
 */
export interface Visibility {
  /**
   * False where the text makes no box at all: display none, visibility hidden, content-visibility
   * hidden.
   */
  rendered: boolean
  /** The product of all opacities above it, filters included. */
  opacity: number
  /** What ancestors cut off, a height of 0 included. What a reader can scroll to is not cut off. */
  clippedShare: number
  /** Outside of what can be scrolled to. */
  offScreenShare: number
  /**
   * What other layers cover when the block is scrolled to the middle of the viewport; 0 where it is
   * transparent or was not sampled.
   */
  coveredShare: number
  coveredBy: (ElementLocation & { text: string; position: string }) | null
  /**
   * The WCAG 2 contrast of text and background; on a picture, what a quarter of the letters does
   * not have more of. Null where it cannot be told.
   */
  contrast: number | null
  /**
   * The share of its lines whose letters are drawn, as a photograph shows; null where the styles
   * tell it, and where it was not measured.
   */
  paintedShare: number | null
  /**
   * Rendered size by layout size: 1 unless something scales it. Zoom for want of a viewport tag is
   * not counted.
   */
  scale: number
  /** Degrees, 0 to 359. Mirrored text is 180. */
  rotation: number
}

/** How a block's text is set. */
export interface Typography {
  /** As rendered, scale included. */
  fontPx: number
  bold: boolean
  lineHeightRatio: number
  letterSpacingEm: number
  wordSpacingEm: number
  lines: number
  /** The mean of all lines but the last. */
  charactersPerLine: number
  /** Characters that would fit in the width of the block. */
  lineCapacity: number
  direction: 'ltr' | 'rtl'
  fontFamily: string
}

/**
 * One of our blocks of text (paragraph, heading, list item, cell, caption …), and what became of
 * it. `index` counts the blocks of our own HTML.
 */
export interface BlockSnapshot {
  index: number
  /** In lower case: p, h2, li, td, figcaption … */
  tag: string
  /** Our own text. */
  text: string
  /**
   * 1 for the same text, between 0.6 and 1 for one that was changed, 0 where nothing like it is
   * there.
   */
  similarity: number
  /** The page's text; null where it is missing. */
  actual: string | null
  /** The element of the page that has the text, in lower case; null where it is missing. */
  actualTag: string | null
  /** Its place among the page's blocks of text; null where it is missing. */
  order: number | null
  /**
   * How often the text is there and makes boxes; more than 1 may be an error of the page, or of a
   * text that we repeat ourselves: `expectedCopies`.
   */
  copies: number
  expectedCopies: number
  /** Of the copy in the article. */
  place: ElementLocation | null
  visibility: Visibility | null
  /** Null where it is not rendered. */
  typography: Typography | null
  /** Where the second copy stands. */
  secondCopy: ElementLocation | null
}

/**
 * Text of the page that is not ours. Only rendered text is told; all that stands in or around the
 * article (`scope`), and of the rest the first 60.
 */
export interface UnexpectedText extends ElementLocation {
  text: string
  /**
   * `between`: among our own blocks, in the article's body; `around`: in the site's frame of the
   * article (headline, byline, tags, share); `site`: elsewhere.
   */
  scope: 'between' | 'around' | 'site'
  inCode: boolean
}

/**
 * `apart`: the mean difference of their colors, 0 to 1. `shape`: how their light and dark go
 * together, -1 to 1 (Pearson).
 */
export interface ImageSimilarity {
  colorDifference: number
  shapeCorrelation: number
}

export interface ImageSnapshot extends ElementLocation {
  /** The image of our own HTML that it is, counted from 0; null where it is none of ours. */
  index: number | null
  /** Known for ours by its address, not by its description alone. */
  matchedByUrl: boolean
  /** How like it is to the picture that our HTML names; null where they were not compared. */
  similarity: ImageSimilarity | null
  inArticle: boolean
  src: string
  /** An address that a script was to load it from (data-src and its like). */
  lazySrc: string | null
  alt: string | null
  complete: boolean
  naturalWidth: number
  naturalHeight: number
  objectFit: string
  /** Stands among our own blocks of text. */
  betweenBlocks: boolean
  rendered: boolean
  opacity: number
  /** Share of its box that is neither cut off nor outside of the page. */
  visibleShare: number
}

/**
 * Whether our own CSS holds: each declaration on the elements that it is for, forced inline and
 * compared.
 */
export interface CssSnapshot {
  declarations: number
  applied: number
  broken: { selector: string; property: string; expected: string; actual: string | null }[]
}

/**
 * What stays in the viewport while one reads and is not part of the article. `share`: of the
 * viewport, all such layers together have `ViewportFacts.layersShare`.
 */
export interface LayerSnapshot extends ElementLocation {
  position: string
  share: number
  text: string
}
export interface OverflowSnapshot extends ElementLocation {
  overflowPx: number
  inArticle: boolean
}
/** Two blocks of ours, or one of ours and other text, whose lines lie on each other. */
export interface OverlapSnapshot {
  block: number
  other: number | null
  share: number
  place: ElementLocation
}
export interface HeadingSnapshot extends ElementLocation {
  text: string
  rendered: boolean
}

export interface DocumentSnapshot {
  titles: string[]
  lang: string
  direction: 'ltr' | 'rtl'
  /**
   * `name`, `property` or `http-equiv` in lower case; the header X-Robots-Tag as `x-robots-tag`.
   */
  metas: { key: string; content: string }[]
  canonicals: string[]
  h1s: HeadingSnapshot[]
  /** The texts of the JSON-LD scripts, each cut at 64 KB. */
  jsonLd: string[]
  viewportMeta: string | null
  layoutWidth: number
  scrollWidth: number
  scrollHeight: number
  /** What a reader can read, the first 20,000 characters. */
  text: string
  passwordFields: number
  elements: number
  /**
   * Whether the picture of og:image loads; null where there is none. Looked at in one viewport
   * alone: null in others.
   */
  ogImageLoads: boolean | null
}

export interface ArticleSnapshot extends ElementLocation {
  /** The headline of the blog is rendered within the article's frame or as an h1. */
  headlineVisible: boolean
}

export interface ViewportSnapshot {
  viewport: ViewportName
  width: number
  height: number
  document: DocumentSnapshot
  /**
   * The deepest element that holds nine tenths of our blocks; null where too few are there for a
   * judgment.
   */
  article: ArticleSnapshot | null
  blocks: BlockSnapshot[]
  unexpectedTexts: UnexpectedText[]
  images: ImageSnapshot[]
  /** Images of our own HTML, in their order. */
  expectedImages: { src: string; alt: string }[]
  css: CssSnapshot
  overflows: OverflowSnapshot[]
  overlaps: OverlapSnapshot[]
  layers: LayerSnapshot[]
  layersShare: number
  /**
   * How far the article moved while it loaded: area × distance, as shares of the viewport
   * (https://web.dev/articles/cls).
   */
  layoutShift: number
  /**
   * Families of fonts that are not there after the time in which a browser shows nothing for them,
   * and that the article uses; `share` of our text.
   */
  lateFonts: { family: string; share: number }[]
  axe: { rule: string; impact: string; help: string; nodes: number; target: ElementLocation }[]
  runtime: RuntimeSnapshot
}

export interface RuntimeSnapshot {
  status: number
  finalUrl: string
  /** Addresses in their order, the last is `finalUrl`. */
  redirects: string[]
  exceptions: { message: string; source: string | null }[]
  /**
   * `own`: of the page's own host. `type`: as Chromium names it: stylesheet, script, image, font,
   * fetch, xhr, document, other. `render`: it may change how the page looks before anything is
   * shown.
   */
  failures: { url: string; type: string; reason: string; sameHost: boolean }[]
  dialogs: string[]
  /** Addresses that were still loading at the end. */
  pending: string[]
  /** To the first byte, in a class of half seconds. */
  responseMs: number
  /** Until our text could be seen, in a class of half seconds; null where it never could. */
  firstContentMs: number | null
}
