import type { BlogSource } from '../../../ports/store/port/blogs.ts'
import type { BlogImage, Heading } from '../../../schemas/blog.ts'
import type { OwnImage } from './clean-tree.ts'
import { DESCRIPTION_LENGTH, excerptFrom, metaDescriptionFrom, openingProse } from './descriptions.ts'
import { markdownToHtml } from './markdown.ts'
import { sanitizeHtml } from './sanitize.ts'
import { scopeCss } from './scope-css.ts'
import { countWords, readingMinutes } from './reading-time.ts'
import { collapse, toWellFormedText } from '../../../lib/text.ts'
import { startPart } from '../../../lib/thread-tasks.ts'

export type { OwnImage, SanitizeOptions } from './clean-tree.ts'
export { excerptFrom, metaDescriptionFrom } from './descriptions.ts'
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
  metaDescription: string
  excerpt: string
  wordCount: number
  readingTimeMinutes: number
  headings: Heading[]
  /** Image URLs contain the placeholder, see deliverHtml. */
  images: BlogImage[]
  /** The visible text, one line a block, for search and related blogs. */
  text: string
  /** File name of the first uploaded image in the text. */
  firstOwnImage: string | null
  /** What was left out or needs attention, one sentence each. */
  warnings: string[]
}

const MAX_WARNINGS = 100

/** The parts of rendering, in order. A rendering thread that exceeds a limit reports its part. */
export const PARTS = ['markdown', 'html', 'css', 'text'] as const
export type Part = (typeof PARTS)[number]

const enter = (part: Part): void => startPart(PARTS.indexOf(part) + 1)

/**
 * Renders the content of a blog from its source. Pure; accepts any text and never throws. Runs in
 * rendering threads (services/rendering), because the libraries are slow for some texts.
 */
export function renderContent(input: RenderInput): RenderedContent {
  const { source, locale, blogId, images, publicUrl, title } = input
  const options = { blogId, images, publicUrl, title, locale }
  const sent = toWellFormedText(source.text)
  enter('markdown')
  const html = source.format === 'markdown' ? markdownToHtml(sent) : sent
  enter('html')
  const clean = sanitizeHtml(html, options)
  const warnings = new Set(clean.warnings)
  enter('css')
  const css = scopeCss(source.css ?? '', options, (warning) => warnings.add(warning))
  enter('text')
  const text = clean.textBlocks.map((block) => block.text).join('\n')
  const wordCount = countWords(text, locale)
  const prose = openingProse(clean.textBlocks).join('\n')
  return {
    html: clean.html,
    css,
    metaDescription:
      authorDescription(source.metaDescription, (warning) => warnings.add(warning)) ??
      metaDescriptionFrom(prose, locale),
    excerpt: excerptFrom(prose, locale),
    wordCount,
    readingTimeMinutes: readingMinutes(text, locale, wordCount),
    headings: clean.headings,
    images: clean.images,
    text,
    firstOwnImage: clean.firstOwnImage,
    warnings: [...warnings].slice(0, MAX_WARNINGS)
  }
}

/** The author's description on one line; null when there is none. */
function authorDescription(metaDescription: string | null, warn: (warning: string) => void): string | null {
  const own = collapse(toWellFormedText(metaDescription ?? ''))
  if (own.length > DESCRIPTION_LENGTH.max) {
    warn(`the meta description has ${own.length} characters; search engines show about ${DESCRIPTION_LENGTH.max}`)
  }
  return own === '' ? null : own
}
