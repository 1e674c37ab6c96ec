import type { BlogMetadata, BlogRecord, ProjectRecord, RelatedEntry } from '../../ports/store/port.ts'
import type { ArticleStyle } from '../../schemas/article-style.ts'
import type { Blog, BlogDraft, BlogListItem, BlogSummary } from '../../schemas/blog.ts'
import { ORIGIN, deliverCss, deliverHtml, schemaOrgJson } from './content/index.ts'
import { textDirection, withoutTrailingSlash } from '../../lib/text.ts'

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
    source,
    warnings
  }
}

export function toSummaryResponse(
  blog: BlogMetadata,
  { score }: Pick<RelatedEntry, 'score'>,
  publicUrl: string
): BlogSummary {
  const { id, title, slug, metaDescription, ogImageUrl, publishedAt, category, tags } = blog
  return {
    id,
    title,
    slug,
    metaDescription,
    ogImageUrl: withPublicOrigin(ogImageUrl, publicUrl),
    publishedAt: publishedAt!,
    category,
    tags,
    score
  }
}

function deliveredHead(blog: BlogMetadata, { project, publicUrl }: DeliveryContext) {
  const {
    id,
    projectId,
    title,
    slug,
    metaDescription,
    publishedAt,
    updatedAt,
    locale,
    category,
    tags,
    author,
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
    metaDescription,
    ogImageUrl: withPublicOrigin(blog.ogImageUrl, publicUrl),
    publishedAt,
    updatedAt,
    locale,
    lang: locale,
    dir: textDirection(locale),
    category,
    tags,
    author: author === null ? null : { name: author.name, url: author.url ?? null },
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
      imageUrls: [blog.ogImageUrl, ...blog.images.map(({ url }) => url)].map((url) => withPublicOrigin(url, publicUrl)),
      datePublished: blog.publishedAt,
      dateModified: blog.updatedAt,
      author: blog.author === null ? null : { name: blog.author.name, url: blog.author.url ?? null },
      publisherName: project?.brandName ?? null,
      pageUrl: pageUrl(blog, project),
      siteUrl: project?.siteUrl ?? null,
      blogUrl: blogIndexUrl(project),
      locale: blog.locale,
      wordCount: blog.wordCount,
      category: blog.category,
      tags: blog.tags
    })
  }
}
