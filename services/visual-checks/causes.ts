import type { ViewportName } from '../../schemas/visual-check.ts'
import { areExplained } from './explained-css.ts'
import type { FindingCode } from './findings/index.ts'

/** Charged by what the text of the page is. */
const TEXT: FindingCode[] = [
  'CONTENT_TRUNCATED',
  'CONTENT_INCOMPLETE',
  'CONTENT_CHANGED',
  'CONTENT_DUPLICATED',
  'CONTENT_REORDERED',
  'CONTENT_MIXED',
  'HEADLINE_MISSING',
  'HEADLINE_MISMATCH',
  'PLACEHOLDER_TEXT',
  'ESCAPED_ENTITIES'
]
const IMAGES: FindingCode[] = [
  'IMAGE_BROKEN',
  'IMAGE_NOT_LOADED',
  'IMAGE_MISSING',
  'IMAGE_DISTORTED',
  'IMAGE_INVISIBLE',
  'IMAGE_FOREIGN'
]
const BLOG_CSS: FindingCode[] = ['BLOG_CSS_NOT_APPLIED', 'BLOG_CSS_PARTLY_OVERRIDDEN']
const TYPE: FindingCode[] = [
  'FONT_TOO_SMALL',
  'LINE_HEIGHT_TIGHT',
  'LETTER_SPACING',
  'LOW_CONTRAST',
  'TEXT_DIRECTION',
  'LINE_TOO_LONG'
]
const BOXES: FindingCode[] = [
  'TEXT_HIDDEN',
  'TEXT_TRANSPARENT',
  'TEXT_CLIPPED',
  'TEXT_OFFSCREEN',
  'TEXT_SHRUNK',
  'TEXT_INVISIBLE_COLOR',
  'TEXT_COVERED',
  'TEXT_CUT_OFF',
  'VIEWPORT_OBSTRUCTED',
  'TEXT_OVERLAP',
  'TEXT_SCALED',
  'TEXT_ROTATED',
  'HORIZONTAL_OVERFLOW',
  'PAGE_OVERFLOW_OUTSIDE_ARTICLE',
  'NO_MOBILE_VIEWPORT',
  'COLUMN_TOO_NARROW'
]
const HEAD: FindingCode[] = [
  'TITLE_MISSING',
  'TITLE_MISMATCH',
  'TITLE_DUPLICATE',
  'META_DESCRIPTION_MISSING',
  'META_DESCRIPTION_DUPLICATE',
  'META_DESCRIPTION_MISMATCH',
  'OG_TITLE_MISSING',
  'OG_TITLE_MISMATCH',
  'OG_IMAGE_MISSING',
  'OG_IMAGE_BROKEN',
  'H1_MISSING',
  'H1_DUPLICATE',
  'LANG_MISMATCH',
  'LANG_MISSING',
  'NOINDEX',
  'CANONICAL_MISSING',
  'CANONICAL_INVALID',
  'CANONICAL_ELSEWHERE',
  'JSONLD_INVALID',
  'JSONLD_MISSING',
  'JSONLD_MISMATCH'
]
/**
 * The page is another one, or none: nothing of ours can be judged in it. What its scripts do is
 * told, since it may be the reason.
 */
const ANOTHER_PAGE: FindingCode[] = [
  ...TEXT,
  'ESCAPED_HTML',
  'MOJIBAKE',
  ...IMAGES,
  ...BLOG_CSS,
  ...TYPE,
  ...BOXES,
  ...HEAD,
  'STYLESHEET_FAILED',
  'AXE_ARTICLE',
  'LAYOUT_SHIFT',
  'SLOW_RENDER',
  'FONT_BLOCKS_TEXT',
  'ENDLESS_LOADING'
]
/** Text in another form than ours matches no block, */
const UNMATCHED: FindingCode[] = [
  'CONTENT_TRUNCATED',
  'CONTENT_INCOMPLETE',
  'CONTENT_CHANGED',
  'CONTENT_MIXED',
  'CONTENT_REORDERED',
  'ESCAPED_ENTITIES'
]
/** and markup that is text makes no elements. */
const NO_ELEMENTS: FindingCode[] = [
  ...IMAGES,
  ...BLOG_CSS,
  'HORIZONTAL_OVERFLOW',
  'LINE_TOO_LONG',
  'LOW_CONTRAST',
  'AXE_ARTICLE',
  'SLOW_RENDER'
]
/** How text is set that nobody sees is no matter, and what hides it hides what is around it. */
const UNSEEN: FindingCode[] = [
  'LOW_CONTRAST',
  'TEXT_COVERED',
  'TEXT_OVERLAP',
  ...BLOG_CSS,
  'IMAGE_INVISIBLE',
  'SLOW_RENDER',
  'AXE_ARTICLE'
]

/** A page has few pictures: where a good part of the text is hidden, they are in the same box. */
const PICTURES: FindingCode[] = ['IMAGE_INVISIBLE', 'IMAGE_NOT_LOADED']
const WIDE = 0.2
const MOST = 0.5

/**
 * What follows from a finding and is not told beside it: `always`, where a good part is affected by
 * the cause (`ifWide`), or most (`ifMost`), only where no more is affected by it than by the cause
 * (`ifWider`), since a trace of one defect must not hide another, or where what does it stands in
 * the flow of the text (`ifInFlow`).
 */
interface Consequences {
  always?: readonly FindingCode[]
  ifWide?: readonly FindingCode[]
  ifWider?: readonly FindingCode[]
  ifInFlow?: readonly FindingCode[]
  ifMost?: readonly FindingCode[]
}

export const CAUSES: Readonly<Partial<Record<FindingCode, Consequences>>> = {
  UNREACHABLE: { always: ANOTHER_PAGE },
  HTTP_ERROR: { always: ANOTHER_PAGE },
  LOGIN_WALL: { always: ANOTHER_PAGE },
  SOFT_404: { always: ANOTHER_PAGE },
  REDIRECTED_AWAY: { always: ANOTHER_PAGE },
  WRONG_POST: { always: ANOTHER_PAGE },
  CONTENT_MISSING: { always: ANOTHER_PAGE },
  CONTENT_TRUNCATED: { always: ['CONTENT_INCOMPLETE', 'IMAGE_MISSING'], ifWider: ['CONTENT_CHANGED', ...BLOG_CSS] },
  CONTENT_CHANGED: { ifMost: ['IMAGE_MISSING', 'CONTENT_REORDERED', ...BLOG_CSS], ifWider: ['CONTENT_REORDERED'] },
  CONTENT_DUPLICATED: { always: ['H1_DUPLICATE', 'CONTENT_REORDERED', 'CONTENT_MIXED'] },
  ESCAPED_HTML: { always: UNMATCHED, ifWider: NO_ELEMENTS },
  MOJIBAKE: {
    always: [
      ...UNMATCHED,
      'HEADLINE_MISSING',
      'HEADLINE_MISMATCH',
      'TITLE_MISMATCH',
      'META_DESCRIPTION_MISMATCH',
      'OG_TITLE_MISMATCH',
      'JSONLD_MISMATCH',
      'TEXT_DIRECTION'
    ],
    ifWider: [...NO_ELEMENTS, 'COLUMN_TOO_NARROW']
  },
  HEADLINE_MISSING: { always: ['H1_MISSING'] },
  TEXT_HIDDEN: { ifWide: PICTURES, ifWider: [...UNSEEN, 'TEXT_CUT_OFF'] },
  TEXT_TRANSPARENT: { always: ['FONT_BLOCKS_TEXT'], ifWide: PICTURES, ifWider: UNSEEN },
  TEXT_CLIPPED: { always: ['TEXT_CUT_OFF', 'LINE_HEIGHT_TIGHT'], ifWide: PICTURES, ifWider: UNSEEN },
  TEXT_OFFSCREEN: {
    always: ['TEXT_CUT_OFF', 'HORIZONTAL_OVERFLOW', 'PAGE_OVERFLOW_OUTSIDE_ARTICLE'],
    ifWide: PICTURES,
    ifWider: UNSEEN
  },
  TEXT_SHRUNK: {
    always: ['FONT_TOO_SMALL', 'TEXT_SCALED'],
    ifWider: [...UNSEEN, 'LINE_HEIGHT_TIGHT', 'LINE_TOO_LONG', 'LETTER_SPACING', 'IMAGE_DISTORTED']
  },
  TEXT_INVISIBLE_COLOR: { always: ['LOW_CONTRAST'], ifWider: BLOG_CSS },
  TEXT_COVERED: { always: ['VIEWPORT_OBSTRUCTED', 'TEXT_OVERLAP'], ifWider: ['AXE_ARTICLE'] },
  TEXT_CUT_OFF: { always: ['TEXT_OVERLAP'], ifWider: ['LINE_HEIGHT_TIGHT'] },
  LINE_HEIGHT_TIGHT: { ifWider: ['TEXT_OVERLAP'] },
  TEXT_SCALED: {
    always: ['FONT_TOO_SMALL', 'HORIZONTAL_OVERFLOW', 'PAGE_OVERFLOW_OUTSIDE_ARTICLE', 'LINE_TOO_LONG'],
    ifWider: ['LINE_HEIGHT_TIGHT', 'TEXT_CUT_OFF', 'TEXT_OVERLAP', 'TEXT_OFFSCREEN'],
    ifInFlow: ['TEXT_COVERED']
  },
  TEXT_ROTATED: {
    always: ['TEXT_SCALED', 'TEXT_OVERLAP', 'IMAGE_DISTORTED'],
    ifWider: [
      'HORIZONTAL_OVERFLOW',
      'PAGE_OVERFLOW_OUTSIDE_ARTICLE',
      'LINE_HEIGHT_TIGHT',
      'TEXT_CUT_OFF',
      'TEXT_OFFSCREEN',
      'TEXT_CLIPPED',
      'COLUMN_TOO_NARROW',
      'LINE_TOO_LONG'
    ],
    ifInFlow: ['TEXT_COVERED']
  },
  TEXT_OVERLAP: { ifWider: ['LOW_CONTRAST'] },
  COLUMN_TOO_NARROW: {
    always: ['TEXT_CUT_OFF', 'HORIZONTAL_OVERFLOW', 'PAGE_OVERFLOW_OUTSIDE_ARTICLE'],
    ifWider: ['LINE_HEIGHT_TIGHT', 'TEXT_OVERLAP', 'TEXT_CLIPPED']
  },
  LETTER_SPACING: { ifWide: ['HORIZONTAL_OVERFLOW'] },
  FONT_TOO_SMALL: { always: ['LINE_TOO_LONG'] },
  BLOG_CSS_NOT_APPLIED: {
    always: ['HORIZONTAL_OVERFLOW', 'PAGE_OVERFLOW_OUTSIDE_ARTICLE', 'LINE_TOO_LONG', 'IMAGE_DISTORTED']
  },
  HORIZONTAL_OVERFLOW: { always: ['PAGE_OVERFLOW_OUTSIDE_ARTICLE'] },
  NO_MOBILE_VIEWPORT: {
    always: ['FONT_TOO_SMALL', 'HORIZONTAL_OVERFLOW', 'PAGE_OVERFLOW_OUTSIDE_ARTICLE', 'LINE_TOO_LONG']
  },
  IMAGE_NOT_LOADED: { always: ['ENDLESS_LOADING'] },
  IMAGE_MISSING: { ifWider: ['BLOG_CSS_PARTLY_OVERRIDDEN'] },
  IMAGE_FOREIGN: { always: ['IMAGE_MISSING'] },
  STYLESHEET_FAILED: {
    always: [
      ...BLOG_CSS,
      'LINE_TOO_LONG',
      'LOW_CONTRAST',
      'LINE_HEIGHT_TIGHT',
      'HORIZONTAL_OVERFLOW',
      'PAGE_OVERFLOW_OUTSIDE_ARTICLE',
      'TEXT_INVISIBLE_COLOR'
    ]
  },
  TITLE_MISSING: { always: ['TITLE_MISMATCH'] },
  META_DESCRIPTION_DUPLICATE: { always: ['META_DESCRIPTION_MISMATCH'] },
  CANONICAL_INVALID: { always: ['CANONICAL_ELSEWHERE'] },
  SLOW_RENDER: { always: ['ENDLESS_LOADING', 'IMAGE_NOT_LOADED'] },
  FONT_BLOCKS_TEXT: { always: ['ENDLESS_LOADING', 'SLOW_RENDER'] }
}

/** One thing in the page makes both, each in another viewport: told once for the page. */
const ANYWHERE: readonly FindingCode[] = [
  'VIEWPORT_OBSTRUCTED',
  'PAGE_OVERFLOW_OUTSIDE_ARTICLE',
  'ENDLESS_LOADING',
  'AXE_ARTICLE',
  ...BLOG_CSS
]

export interface Caused {
  code: FindingCode
  viewport: ViewportName
  extent: number
  evidence: Record<string, unknown>
}

/**
 * A bar, a box or a wall over the text has a position; text that was made larger or turned lies
 * over its neighbors without one.
 */
const isInFlow = ({ evidence: { by } }: Caused): boolean =>
  typeof by === 'object' && by !== null && 'position' in by && by.position === 'static'

function follows(one: Caused, cause: Caused): boolean {
  const { always = [], ifWide = [], ifWider = [], ifInFlow = [], ifMost = [] } = CAUSES[cause.code] ?? {}
  if (one.viewport !== cause.viewport && !ANYWHERE.includes(one.code)) return false
  if (ifInFlow.includes(one.code) && isInFlow(one)) return true
  return (
    always.includes(one.code) ||
    (ifWide.includes(one.code) && cause.extent >= WIDE) ||
    (ifMost.includes(one.code) && cause.extent >= MOST) ||
    (ifWider.includes(one.code) && cause.extent >= one.extent)
  )
}

/**
 * Leaves out what follows from another finding of the same viewport, so that one defect is charged
 * once. A cause that is itself a consequence still takes its own with it: what follows from it
 * follows from
 * its cause. Needs `CAUSES` to have no circle, which a test holds.
 */
export function withoutConsequences<F extends Caused>(findings: readonly F[]): F[] {
  const left = findings.filter((one) => !findings.some((cause) => follows(one, cause)))
  return left.filter(
    (one) =>
      !BLOG_CSS.includes(one.code) ||
      !areExplained(
        one.evidence.properties,
        left.map(({ code }) => code)
      )
  )
}
