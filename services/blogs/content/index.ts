import type { BlogSource, ContentStructure } from '../../../ports/store/port/blogs.ts'
import type { BlogCover, BlogImage, Heading } from '../../../schemas/blog.ts'
import type { OwnImage } from './clean-tree.ts'
import {
  DESCRIPTION_LENGTH,
  excerptFrom,
  metaDescriptionFrom,
  metaDescriptionFromExcerpt,
  openingProse
} from './descriptions.ts'
import { findCover } from './images.ts'
import { markdownToHtml } from './markdown.ts'
import { sanitizeHtml } from './sanitize.ts'
import { scopeCss } from './scope-css.ts'
import { findStructure } from './structure.ts'
import { countWords, readingMinutes } from './reading-time.ts'
import { collapse, toWellFormedText } from '../../../lib/text.ts'
import { startPart } from '../../../lib/thread-tasks.ts'

export type { OwnImage, SanitizeOptions } from './clean-tree.ts'
export { excerptFrom, metaDescriptionFrom, metaDescriptionFromExcerpt } from './descriptions.ts'
export { TOO_LONG_LINKS } from './markdown.ts'
export { deliverHtml, ORIGIN, RULES_VERSION, storedImageUrl } from './origin.ts'
export { sanitizeHtml, type Sanitized } from './sanitize.ts'
export { schemaOrgJson, type SchemaOrgInput } from './schema-org.ts'
export { deliverCss, scopeCss } from './scope-css.ts'
export { resolveStyle } from './theme/index.ts'
export { countWords, readingMinutes } from './reading-time.ts'

export interface RenderInput {
  blogId: string
  title: string
  /** BCP 47. */
  locale: string
  source: BlogSource
  /** Images uploaded to this blog. */
  images: OwnImage[]
  publicUrl: string
}

export interface RenderedContent {
  /** For the store: contains a placeholder for the public URL, see deliverHtml. */
  html: string
  /** The author's scoped CSS, for the store; see deliverCss. */
  css: string
  metaTitle: string
  metaDescription: string
  excerpt: string
  /** URLs contain the placeholder, see deliverHtml. */
  cover: BlogCover | null
  structure: ContentStructure
  wordCount: number
  readingTimeMinutes: number
  headings: Heading[]
  /** Image URLs contain the placeholder, see deliverHtml. */
  images: BlogImage[]
  /** The visible text, one line a block, for search and related blogs. */
  text: string
  /** File name of the uploaded image for the social image: the cover, or the first one in the text. */
  socialImage: string | null
  /** What was left out or needs attention, one sentence each. */
  warnings: string[]
}

const MAX_WARNINGS = 100
/**
 * The headings and the images that a blog lists, in characters of JSON each. Lists of blogs contain
 * them, and a document of 500 KB may have 20,000.
 */
const MAX_LISTED_LENGTH = 100_000

/** The parts of rendering, in order. A rendering thread that exceeds a limit reports its part. */
export const PARTS = ['markdown', 'html', 'css', 'text'] as const
export type Part = (typeof PARTS)[number]

const enter = (part: Part): void => startPart(PARTS.indexOf(part) + 1)

/**
 * Renders the content of a blog from its source. Pure; accepts any text. Throws a RangeError only if the result would
 * be too long (see TOO_LONG_LINKS). Runs in rendering threads (services/rendering), because the libraries are slow for
 * some texts.
 */
export function renderContent(input: RenderInput): RenderedContent {
  const { source, locale, blogId, publicUrl, title } = input
  const options = { blogId, images: input.images, publicUrl, title, locale }
  const sent = toWellFormedText(source.text)
  enter('markdown')
  const html = source.format === 'markdown' ? markdownToHtml(sent) : sent
  enter('html')
  const clean = sanitizeHtml(html, options)
  const headings = fitting(clean.headings)
  const images = fitting(clean.images)
  const warnings = new Set([
    ...shortenedWarning('headings', { listed: headings.length, all: clean.headings.length }),
    ...shortenedWarning('images', { listed: images.length, all: clean.images.length }),
    ...clean.warnings
  ])
  enter('css')
  const css = scopeCss(source.css ?? '', options, (warning) => warnings.add(warning))
  enter('text')
  const text = clean.textBlocks.map((block) => block.text).join('\n')
  const wordCount = countWords(text, locale)
  const prose = openingProse(clean.textBlocks).join('\n')
  const excerpt = oneLine(source.excerpt ?? null)
  const warn = (warning: string) => warnings.add(warning)
  const { cover, filename } = findCover(source.cover ?? null, images[0], { options, warn })
  return {
    html: clean.html,
    css,
    metaTitle: oneLine(source.metaTitle ?? null) ?? collapse(toWellFormedText(title)),
    metaDescription:
      authorDescription(source.metaDescription, warn) ??
      (excerpt === null ? metaDescriptionFrom(prose, locale) : metaDescriptionFromExcerpt(excerpt, locale)),
    excerpt: excerpt ?? excerptFrom(prose, locale),
    cover,
    structure: findStructure(clean.root, { title, locale }),
    wordCount,
    readingTimeMinutes: readingMinutes(text, locale, wordCount),
    headings,
    images,
    text,
    socialImage: filename ?? clean.firstOwnImage,
    warnings: [...warnings].slice(0, MAX_WARNINGS)
  }
}

/** The first entries that have at most MAX_LISTED_LENGTH characters together. */
function fitting<Entry extends object>(entries: Entry[]): Entry[] {
  let length = 0
  const end = entries.findIndex((entry) => (length += JSON.stringify(entry).length) > MAX_LISTED_LENGTH)
  return end === -1 ? entries : entries.slice(0, end)
}

function shortenedWarning(name: 'headings' | 'images', { listed, all }: { listed: number; all: number }): string[] {
  return listed === all ? [] : [`\`${name}\` lists ${listed} of ${all}, because the others are too many or too long`]
}

/** The author's description on one line; null when there is none. */
function authorDescription(metaDescription: string | null, warn: (warning: string) => void): string | null {
  const own = oneLine(metaDescription)
  if (own !== null && own.length > DESCRIPTION_LENGTH.max) {
    warn(`the meta description has ${own.length} characters; search engines show about ${DESCRIPTION_LENGTH.max}`)
  }
  return own
}

/** The author's text on one line; null when there is none. */
function oneLine(text: string | null): string | null {
  const line = collapse(toWellFormedText(text ?? ''))
  return line === '' ? null : line
}
