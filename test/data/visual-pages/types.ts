import type { Blog } from '../../../schemas/blog.ts'
import type { FindingCategory } from '../../../schemas/visual-check.ts'

/** The pages are in two disjoint halves. Rules are tuned on the first one and judged on the second one only. */
export const HALVES = ['tune', 'held-out'] as const
export type Half = (typeof HALVES)[number]

/**
 * Two people wrote the first set, one for each half. The others were added when rules were tuned on the
 * sets before. From the fourth one on, they have only the half `tune`, and styles of their own. The sixth
 * one has posts of its own, too, and no defects; the seventh one has posts and defects.
 */
export const SETS = ['first', 'third', 'fourth', 'fifth', 'sixth', 'seventh'] as const
export type CaseSet = (typeof SETS)[number]

/** A post as its author sends it to the service. Images are named by the files in `pictures`. */
export interface PostSource {
  id: string
  half: Half
  locale: string
  title: string
  metaDescription: string
  category: string
  tags: string[]
  author: string
  publishedAt: string
  /** Posts with the same key are translations of each other. */
  translationKey?: string
  pictures: { file: string; kind: PictureKind; alt: string; width: number; height: number }[]
  markdown: string
}

export const PICTURE_KINDS = ['landscape', 'still-life', 'diagram', 'portrait'] as const
export type PictureKind = (typeof PICTURE_KINDS)[number]

/** A post as the service delivers it to a site. */
export interface Post {
  source: PostSource
  blog: Blog
}

/** What a page consists of before it becomes HTML. Defects and harmless changes edit it. */
export interface Page {
  /** The site's origin, and the path of this page. */
  origin: string
  path: string
  post: Post
  /** Another post of the same half. */
  other: Post
  status: number
  headers: Record<string, string>
  /** Milliseconds until the server responds. */
  delayMs: number
  /** Attributes of the root element and of the body. */
  root: Record<string, string>
  body: Record<string, string>
  /** The elements of the head by name, in their order. */
  head: Map<HeadElement, string>
  /** `<h1>` with the title. */
  heading: string
  byline: string
  /** `htmlContent`, around which templates put other elements. */
  article: string
  beforeArticle: string
  afterArticle: string
  /** Elements at the start and at the end of the body. */
  bodyStart: string
  bodyEnd: string
  /** What the server does to the finished document, such as encoding it. */
  encode: (html: string) => string | Buffer
}

export const HEAD_ELEMENTS = [
  'charset',
  'viewport',
  'title',
  'description',
  'canonical',
  'robots',
  'alternates',
  'og:title',
  'og:description',
  'og:image',
  'og:type',
  'og:url',
  'dates',
  'twitter',
  'icon',
  'siteStyles',
  'blogStyle',
  'jsonLd',
  'extra'
] as const
export type HeadElement = (typeof HEAD_ELEMENTS)[number]

/** The template and the style sheets of a site. */
export interface SiteStyle {
  name: string
  half: Half
  /** Style sheets of npm packages, as module specifiers. */
  packages?: string[]
  css: string
  root?: Record<string, string>
  body?: Record<string, string>
  /** Languages of the posts that the site has. Default: all. */
  locales?: string[]
  /** The body around the article. */
  render: (page: Page) => string
  /** Changes of the head or the page that the site makes on every page. */
  prepare?: (page: Page) => void
}

/** A change of a page. `needs`: a part of `htmlContent` without which the change is impossible. */
interface Change {
  name: string
  half: Half
  needs?: RegExp
  /** Names of the styles that the change fits. Default: all. */
  styles?: string[]
  locales?: string[]
  apply: (page: Page) => void
}

/** A change that a reader or a search engine would call broken. */
export interface Defect extends Change {
  /** Whether a reader sees it on the page. */
  visible: boolean
  /** What is wrong, in a few words. */
  about: string
  /** Codes of which one names the defect. */
  codes: string[]
  /** Names the defect if the documentation has no code for it. */
  pattern?: RegExp
  /** The damaged elements. A scored finding located on them names the defect too. */
  target?: string
  /** Whether any critical finding of these categories names it, as for pages that cannot be opened. */
  categories?: FindingCategory[]
}

/** A change that a site may make without being wrong. */
export type HarmlessChange = Change
