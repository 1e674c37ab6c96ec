import type {
  BlogMetadata,
  BlogRecord,
  BlogTranslationRef,
  ProjectRecord,
  RelatedEntry
} from '../../ports/store/port.ts'
import type { ArticleStyle } from '../../schemas/article-style.ts'
import { hreflangOf } from '../../lib/hreflang.ts'
import type {
  Author,
  Blog,
  BlogCover,
  BlogDraft,
  BlogListItem,
  BlogSummary,
  BlogTranslation
} from '../../schemas/blog.ts'
import { ORIGIN, deliverCss, deliverHtml, schemaOrgJson } from './content/index.ts'
import { compareText, textDirection, withoutTrailingSlash } from '../../lib/text.ts'
import { slugifyOrNull } from './slug.ts'

/** The URL of a blog on the customer's website; null when the project has no site URL. */
export function pageUrl(
  blog: Pick<BlogMetadata, 'slug' | 'canonicalUrl'>,
  project: ProjectRecord | null
): string | null {
  if (blog.canonicalUrl !== null) return blog.canonicalUrl
  const index = blogIndexUrl(project)
  return index === null ? null : `${index}/${blog.slug}`
}

/**
 * The URL of the blog list on the customer's website, without a trailing slash; null when unknown.
 */
export function blogIndexUrl(project: ProjectRecord | null): string | null {
  if (project?.siteUrl === null || project === null) return null
  return `${withoutTrailingSlash(project.siteUrl)}${withoutTrailingSlash(project.blogPath)}`
}

/**
 * The project settings and the public URL of the service are inserted at delivery, so that changing
 * them needs no rewrite of stored blogs.
 */
export interface DeliveryContext {
  project: ProjectRecord | null
  publicUrl: string
  /** Replaces the look of the project's articles. */
  style?: ArticleStyle
  /** The published blogs with the translation key of the blog, with or without the blog itself. */
  translations: BlogTranslationRef[]
}

/** The URL of a category on the customer's website; null when unknown. */
function categoryUrl({ category, locale }: BlogMetadata, project: ProjectRecord | null): string | null {
  if (category === null || project === null || project.siteUrl === null || !project.categoryPath) return null
  const name = slugifyOrNull(category, locale)
  if (name === null) return null
  return withoutTrailingSlash(project.siteUrl) + project.categoryPath.replace('{category}', name)
}

/** The translations of a blog, including itself; empty when there is no other published one. */
function toTranslations(blog: BlogMetadata, { project, translations }: DeliveryContext): BlogTranslation[] {
  if (blog.translationKey === null) return []
  const others = translations.filter(({ id }) => id !== blog.id)
  if (others.length === 0) return []
  return [blog, ...others]
    .map((each) => ({
      id: each.id,
      locale: each.locale,
      hreflang: hreflangOf(each.locale),
      title: each.title,
      slug: each.slug,
      url: pageUrl(each, project)
    }))
    .sort((a, b) => compareText(a.hreflang, b.hreflang))
}

function toAuthors(authors: Author[]): { name: string; url: string | null }[] {
  return authors.map(({ name, url }) => ({ name, url: url ?? null }))
}

const deliverCover = (cover: BlogCover | null, publicUrl: string): BlogCover | null =>
  cover === null
    ? null
    : {
        ...cover,
        url: withPublicOrigin(cover.url, publicUrl),
        srcset: cover.srcset?.replaceAll(ORIGIN, publicUrl) ?? null
      }

const withPublicOrigin = (url: string, publicUrl: string) =>
  url.startsWith(ORIGIN) ? publicUrl + url.slice(ORIGIN.length) : url

/** The public response of a published blog. */
export function toBlogResponse(blog: BlogRecord, place: DeliveryContext): Blog {
  return { ...deliveredHead(blog, place), publishedAt: blog.publishedAt!, ...deliveredContent(blog, place) }
}

/** A list item, with its content if the record has the body. */
export function toListItemResponse(
  blog: BlogMetadata & { body?: BlogRecord['body'] },
  place: DeliveryContext
): BlogListItem {
  return {
    ...deliveredHead(blog, place),
    ...(blog.body === undefined ? {} : deliveredContent({ ...blog, body: blog.body }, place))
  }
}

/** The response for authors, in any state, with the source. */
export function toDraftResponse(blog: BlogRecord, place: DeliveryContext): BlogDraft {
  const {
    status,
    publishAt,
    createdAt,
    body: { source, warnings }
  } = blog
  return {
    ...deliveredHead(blog, place),
    ...deliveredContent(blog, place),
    status,
    publishAt,
    createdAt,
    source: { metaTitle: null, excerpt: null, cover: null, ...source },
    warnings
  }
}

export function toSummaryResponse(
  blog: BlogMetadata,
  { score }: Pick<RelatedEntry, 'score'>,
  publicUrl: string
): BlogSummary {
  const { id, title, slug, metaTitle, metaDescription, excerpt, ogImageUrl, publishedAt, locale, category, tags } = blog
  return {
    id,
    title,
    slug,
    metaTitle,
    metaDescription,
    excerpt,
    cover: deliverCover(blog.cover, publicUrl),
    ogImageUrl: withPublicOrigin(ogImageUrl, publicUrl),
    publishedAt: publishedAt!,
    locale,
    authors: toAuthors(blog.authors),
    category,
    tags,
    score
  }
}

function deliveredHead(blog: BlogMetadata, place: DeliveryContext) {
  const { project, publicUrl } = place
  const authors = toAuthors(blog.authors)
  const {
    id,
    projectId,
    title,
    slug,
    metaTitle,
    metaDescription,
    publishedAt,
    updatedAt,
    locale,
    category,
    tags,
    translationKey,
    excerpt,
    wordCount,
    readingTimeMinutes,
    headings,
    version
  } = blog
  return {
    id,
    projectId,
    title,
    slug,
    metaTitle,
    metaDescription,
    cover: deliverCover(blog.cover, publicUrl),
    ogImageUrl: withPublicOrigin(blog.ogImageUrl, publicUrl),
    publishedAt,
    updatedAt,
    locale,
    lang: locale,
    dir: textDirection(locale),
    category,
    tags,
    author: authors[0] ?? null,
    authors,
    translationKey,
    translations: toTranslations(blog, place),
    excerpt,
    canonicalUrl: pageUrl(blog, project),
    wordCount,
    readingTimeMinutes,
    headings,
    images: blog.images.map((image) => ({ ...image, url: withPublicOrigin(image.url, publicUrl) })),
    version
  }
}

function deliveredContent(blog: BlogRecord, { project, publicUrl, style }: DeliveryContext) {
  const { body } = blog
  return {
    htmlContent: deliverHtml(body.html, publicUrl),
    cssContent: deliverCss(body.css, publicUrl, style ?? project ?? {}),
    schemaOrgJson: schemaOrgJson({
      title: blog.title,
      description: blog.metaDescription,
      imageUrls: imageUrls(blog).map((url) => withPublicOrigin(url, publicUrl)),
      datePublished: blog.publishedAt,
      dateModified: blog.updatedAt,
      authors: toAuthors(blog.authors),
      publisherName: project?.brandName ?? null,
      pageUrl: pageUrl(blog, project),
      siteUrl: project?.siteUrl ?? null,
      blogUrl: blogIndexUrl(project),
      locale: blog.locale,
      wordCount: blog.wordCount,
      category: blog.category,
      categoryUrl: categoryUrl(blog, project),
      tags: blog.tags,
      structure: body.structure
    })
  }
}

/** The images of a blog, the best first, each once. */
export function imageUrls({ ogImageUrl, cover, images }: BlogMetadata): string[] {
  return [...new Set([ogImageUrl, ...(cover === null ? [] : [cover.url]), ...images.map(({ url }) => url)])]
}
