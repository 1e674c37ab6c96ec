import type { ViewportName } from '../../../schemas/visual-check.ts'
import type { BlockRelations } from './block-flow.ts'
import type { ElementLocation } from './element-location.ts'
import type { EmbedSnapshot, ExpectedImage, ImageSnapshot } from './media-snapshot.ts'

export type { Box, ElementLocation } from './element-location.ts'

/*
 * The measurements of a page in one viewport. A snapshot is plain data: the rules of the visual
 * check evaluate it without a browser. Lengths are CSS pixels, boxes are relative to the document,
 * shares are 0 to 1. Texts are those of the page with white space collapsed.
 */

/** How much of a block's text is visible, and why the rest is not. Shares are of the text's area. */
export interface Visibility {
  /** False if the text has no box: display none, visibility hidden, content-visibility hidden. */
  rendered: boolean
  /** The product of the opacities of the element and its ancestors, including filters. */
  opacity: number
  /** Clipped by ancestors, including a height of 0. Content that can be scrolled into view is not clipped. */
  clippedShare: number
  /** Outside of the scrollable area. */
  offScreenShare: number
  /**
   * Covered by other layers when the block is scrolled to the middle of the viewport. 0 if the block
   * is transparent or was not sampled.
   */
  coveredShare: number
  coveredBy: (ElementLocation & { text: string; position: string }) | null
  /** The share that a transparent link or button elsewhere on the page lies over. Absent if none does. */
  underLinkShare?: number
  /**
   * The WCAG 2 contrast of text and background. On an image: the lower quartile of the glyphs'
   * contrasts. Null if unknown.
   */
  contrast: number | null
  /**
   * The share of the lines whose glyphs are painted, measured in screenshots. Null if the styles
   * determine it, or if it was not measured.
   */
  paintedShare: number | null
  /** Contrast or painting had to be measured in screenshots, and was not: the time was over. Absent otherwise. */
  unmeasured?: true
  /**
   * Rendered size divided by layout size: 1 without transforms and zoom. The zoom of a page without
   * a viewport meta element does not count.
   */
  scale: number
  /** Degrees, 0 to 359. Mirrored text has 180. */
  rotation: number
}

/** Why text is hidden. Texts are those of the page. */
export interface HidingCause {
  /** Such as `display: none`, as computed. */
  declaration: string
  /** The element that has the declaration: the block or an ancestor. */
  element: string
  /** The selector of the rule with the declaration, or which attribute has it. Null if unknown. */
  rule: string | null
  /** The URL of the rule's style sheet, or `<style>` within the page. */
  stylesheet: string | null
}

/** How a block's text is rendered. */
export interface Typography {
  /** As rendered, including the scale. */
  fontPx: number
  bold: boolean
  lineHeightRatio: number
  letterSpacingEm: number
  wordSpacingEm: number
  lines: number
  /** The mean of all lines except the last. */
  charactersPerLine: number
  /** Characters that fit into the width of the block. */
  lineCapacity: number
  direction: 'ltr' | 'rtl'
  fontFamily: string
}

/** The styles of a block that explain why it looks different. */
export interface BlockStyles {
  /** The radius of all blur filters on it, in em. */
  blurEm: number
  /** A line runs through text that the blog does not delete. */
  struckThrough: boolean
  /** A longer text is set in capitals. */
  capitals: boolean
  /** Declarations that change how text is painted, such as `filter: sepia(1)`. At most 6. */
  effects: string[]
  /** A longer text is a link, or a part of a quote or a list item, but not in the blog. */
  foreignRole?: boolean
  /**
   * Longer text is damaged where words are not compared: marks at its letters (CSS `text-emphasis`), an outline
   * around it, or no first letter. Absent if not.
   */
  marked?: true
  /** The block stays at an edge of the viewport while readers scroll. Absent if not. */
  sticky?: true
  /** The font draws other signs than the letters: symbols, boxes, mirrored letters. Absent if not. */
  wrongGlyphs?: true
}

/**
 * A block of the page compared, word by word, with the same words drawn with the same fonts at the
 * same places. Shares of ink are of the ink of the drawn words.
 */
export interface Appearance {
  /** The share of the block's characters that were compared. */
  comparedShare: number
  /** The share of the compared characters whose words look different. */
  differentShare: number
  /** Ink of the page that the drawing does not have. */
  extraInk: number
  /** Ink of the drawing that the page does not have. */
  missingInk: number
  /** Pearson's correlation of the ink of both, -1 to 1. */
  correlation: number
}

/**
 * A block of the blog's text (paragraph, heading, list item, cell, caption …) and its counterpart in
 * the page. `index` counts the blocks of the blog's HTML.
 */
export interface BlockSnapshot extends BlockRelations {
  index: number
  /** The element in the blog, in lower case: p, h2, li, td, figcaption … */
  tag: string
  /** The blog's text. */
  text: string
  /** 1: the same text. 0.6 to 1: changed text. 0: no similar text in the page. */
  similarity: number
  /** The page's text. Null if missing. */
  actual: string | null
  /** The element in the page, in lower case. Null if missing. */
  actualTag: string | null
  /** The position among the page's blocks of text. Null if missing. */
  order: number | null
  /** How many rendered blocks have this text. The blog itself may repeat it: `expectedCopies`. */
  copies: number
  expectedCopies: number
  /** The copy in the article. */
  place: ElementLocation | null
  visibility: Visibility | null
  /** Null if not rendered. */
  typography: Typography | null
  /** Determined for the first hidden blocks. Absent or null for others, and if it is unknown. */
  hiddenBy?: HidingCause | null
  /** The location of the second copy. */
  secondCopy: ElementLocation | null
  /** Absent if the block is not rendered. */
  styles?: BlockStyles
  /** Absent if the block was not compared with the reference rendering. */
  appearance?: Appearance
  /** Line breaks (`<br>`) that the blog does not have. Absent without any. */
  addedBreaks?: number
}

/**
 * Rendered text of the page that is not part of the blog: all in and around the article (`scope`),
 * and the first 60 elsewhere.
 */
export interface UnexpectedText extends ElementLocation {
  text: string
  /**
   * `between`: between the blog's blocks. `around`: in the site's frame of the article, such as
   * headline, byline, tags, share buttons. `site`: elsewhere.
   */
  scope: 'between' | 'around' | 'site'
  inCode: boolean
  /** Recognizable as a part of the site. Determined for texts between the blog's blocks only. */
  isFurniture?: boolean
}

/** Words that a style sheet adds to a block of the blog (CSS `content`). */
export interface AddedText extends ElementLocation {
  block: number
  pseudo: '::marker' | '::before' | '::after'
  text: string
  /** A part of the line; not on a line of its own or in a box. */
  isInline: boolean
}

/**
 * Whether the blog's CSS is applied. Each declaration is forced inline on the elements that it
 * selects; it is applied if the computed value does not change.
 */
export interface CssSnapshot {
  declarations: number
  applied: number
  broken: { selector: string; property: string; expected: string; actual: string | null }[]
}

/**
 * A layer that stays in the viewport while the page scrolls, outside of the article. `share`: of the
 * viewport. All layers together cover `ViewportSnapshot.layersShare`.
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
/** A block of the blog whose lines overlap those of another block or of other text (`other` null). */
export interface OverlapSnapshot {
  block: number
  other: number | null
  share: number
  place: ElementLocation
}
/**
 * A vertical gap of at least half a viewport without content, above `selector`. `isBefore`: above the
 * first of the blog's blocks.
 */
export interface GapSnapshot extends ElementLocation {
  heightPx: number
  isBefore: boolean
}
export interface HeadingSnapshot extends ElementLocation {
  text: string
  rendered: boolean
}

export interface DocumentSnapshot {
  titles: string[]
  lang: string
  direction: 'ltr' | 'rtl'
  /** `name`, `property` or `http-equiv` in lower case. The header X-Robots-Tag as `x-robots-tag`. */
  metas: { key: string; content: string }[]
  /** Resolved. */
  canonicals: string[]
  /** As written: those without a host. Absent in older snapshots. */
  relativeCanonicals?: string[]
  h1s: HeadingSnapshot[]
  /** The texts of the JSON-LD scripts, each truncated at 64 KB. */
  jsonLd: string[]
  viewportMeta: string | null
  layoutWidth: number
  scrollWidth: number
  scrollHeight: number
  /** The visible text, the first 20,000 characters. */
  text: string
  passwordFields: number
  elements: number
  /** Whether og:image loads. Null without og:image, and in all viewports except the last. */
  ogImageLoads: boolean | null
}

/** Whether readers recognize an element of the blog as what it is. `block`: its first block. */
export interface RoleSnapshot extends ElementLocation {
  role: 'heading' | 'list' | 'quote' | 'code' | 'table' | 'emphasis'
  /** Of emphasis and lists: the element in the blog, such as `strong` or `ol`. */
  element?: string
  held: boolean
  block: number
}

/** A link of the blog with text, and the link of the page with the same text in the same block. */
export interface LinkSnapshot extends ElementLocation {
  /** The URL in the blog, resolved against the page. '' if it is invalid. */
  expected: string
  /** The value of `href` in the page. Null if the text is no link there. */
  actual: string | null
  resolved: string | null
  /** Whether a fragment of this page has an element. True for other links. */
  targetExists: boolean
  /** Whether the link differs from the text around it. Null if there is no such text. */
  distinct: boolean | null
  block: number
}

/** A link element with `hreflang`. `href`: as written. */
export interface AlternateSnapshot {
  hreflang: string
  href: string
}

/**
 * A time element between the headline and the article, or in the frame before the article. Or, without a
 * `datetime`, another text with digits there.
 */
export interface TimeSnapshot extends ElementLocation {
  datetime: string
  text: string
}

export interface ArticleSnapshot extends ElementLocation {
  /** The blog's headline is rendered in the article's frame, or elsewhere as a heading. */
  headlineVisible: boolean
}

/** A violation of an axe-core rule by elements of the article. `target`: the first of them. */
export interface AxeViolation {
  rule: string
  impact: string
  help: string
  nodes: number
  target: ElementLocation
  /** The elements are not from the blog: the site added them, such as anchors of headings. */
  isAdded?: boolean
}

export interface ViewportSnapshot {
  viewport: ViewportName
  width: number
  height: number
  document: DocumentSnapshot
  /** The deepest element with nine tenths of the blog's blocks. Null if too few are in the page. */
  article: ArticleSnapshot | null
  blocks: BlockSnapshot[]
  unexpectedTexts: UnexpectedText[]
  /** Absent in older snapshots. */
  addedTexts?: AddedText[]
  images: ImageSnapshot[]
  /** The images of the blog's HTML, in order. */
  expectedImages: ExpectedImage[]
  /** Absent in older snapshots, and without an article. */
  embeds?: EmbedSnapshot[]
  css: CssSnapshot
  overflows: OverflowSnapshot[]
  overlaps: OverlapSnapshot[]
  /** The highest gaps in the article and above it. Absent without an article. */
  gaps?: GapSnapshot[]
  layers: LayerSnapshot[]
  layersShare: number
  roles: RoleSnapshot[]
  links: LinkSnapshot[]
  alternates: AlternateSnapshot[]
  times: TimeSnapshot[]
  /** The layout shift of the article while it loaded (https://web.dev/articles/cls). */
  layoutShift: number
  /**
   * Font families used by the article that have not loaded after the block period, in which browsers
   * render invisible text. `share`: of the blog's text.
   */
  lateFonts: { family: string; share: number }[]
  axe: AxeViolation[]
  runtime: RuntimeSnapshot
}

export interface RuntimeSnapshot {
  status: number
  finalUrl: string
  /** URLs in order. The last is `finalUrl`. */
  redirects: string[]
  exceptions: { message: string; source: string | null }[]
  /**
   * Failed requests. `type`: as Chromium names it: stylesheet, script, image, font, fetch, xhr,
   * document, other. `sameHost`: the host is that of the page.
   */
  failures: { url: string; type: string; reason: string; sameHost: boolean }[]
  dialogs: string[]
  /** URLs that were still loading at the end. */
  pending: string[]
  /** Until the first byte, rounded to half seconds. */
  responseMs: number
  /** Until the blog's text was visible, rounded to half seconds. Null if it never was. */
  firstContentMs: number | null
}
