import { splitText } from '../../lib/text.ts'
import type { BlogMetadata, BlogRecord, BlogSource, ImageRecord } from '../../ports/store/port.ts'
import type { Author } from '../../schemas/blog.ts'
import { socialFilename } from '../images/social/filename.ts'
import { ORIGIN, RULES_VERSION, renderContent } from './content/index.ts'
import { createVector } from './related/index.ts'
import { searchTerms } from './search-terms.ts'

/** The fields of a blog that its author sets, as they were sent. */
export interface AuthoredFields {
  id: string
  title: string
  locale: string
  category: string | null
  tags: string[]
  authors: Author[]
  translationKey: string | null
  source: BlogSource
}

/** The fields of a stored blog that its author set. */
export const toAuthoredFields = ({ body, ...blog }: BlogRecord): AuthoredFields => ({
  id: blog.id,
  title: blog.title,
  locale: blog.locale,
  category: blog.category,
  tags: blog.tags,
  authors: blog.authors,
  translationKey: blog.translationKey,
  source: body.source
})

export type ComposedFields = Pick<
  BlogMetadata,
  | 'title'
  | 'locale'
  | 'category'
  | 'tags'
  | 'authors'
  | 'translationKey'
  | 'metaTitle'
  | 'metaDescription'
  | 'cover'
  | 'ogImageUrl'
  | 'canonicalUrl'
  | 'excerpt'
  | 'wordCount'
  | 'readingTimeMinutes'
  | 'headings'
  | 'images'
  | 'rulesVersion'
> &
  Pick<BlogRecord, 'body'>

/** What a blog is rendered from. */
export interface ComposeInput {
  fields: AuthoredFields
  images: ImageRecord[]
  publicUrl: string
}

/**
 * Computes all derived fields of a blog from the author's fields and images. Pure: the same input
 * gives the same blog. Takes long for some texts: call it through the renderer (services/rendering).
 */
export function composeBlog({ fields, images, publicUrl }: ComposeInput): ComposedFields {
  const { id, title, locale, source } = fields
  const content = renderContent({ blogId: id, title, locale, source, images, publicUrl })
  const { metaDescription } = content
  const text = splitText(content.text)
  const social = socialFilename({
    blogId: id,
    title,
    image: images.find(({ filename }) => filename === content.socialImage) ?? null
  })
  return {
    title,
    locale,
    category: fields.category,
    tags: fields.tags,
    authors: fields.authors,
    translationKey: fields.translationKey,
    metaTitle: content.metaTitle,
    metaDescription,
    cover: content.cover,
    ogImageUrl: source.ogImageUrl ?? `${ORIGIN}/api/v1/blogs/images/${id}/${social}`,
    canonicalUrl: source.canonicalUrl,
    excerpt: content.excerpt,
    wordCount: content.wordCount,
    readingTimeMinutes: content.readingTimeMinutes,
    headings: content.headings,
    images: content.images,
    rulesVersion: RULES_VERSION,
    body: {
      source,
      html: content.html,
      structure: content.structure,
      css: content.css,
      titleTerms: searchTerms(title, locale),
      textTerms: searchTerms(
        [metaDescription, source.excerpt ?? '', fields.tags.join(' '), fields.category ?? '', text],
        locale
      ),
      vector: createVector({ title, description: metaDescription, text, locale }),
      warnings: content.warnings
    }
  }
}
