import type { VisualCheckMetadata } from '../../ports/store/port.ts'
import type { Blog } from '../../schemas/blog.ts'
import type { ExpectedPage } from './rules/rule.ts'

/** The blog as it is delivered to the customer's site, and so as the page should show it. */
export function getExpectedPage(
  blog: Omit<Blog, 'publishedAt'> & { publishedAt: string | null },
  { url, environment }: Pick<VisualCheckMetadata, 'url' | 'environment'>
): ExpectedPage {
  return {
    title: blog.title,
    html: blog.htmlContent,
    css: blog.cssContent,
    language: blog.locale,
    url,
    environment,
    metaTitle: blog.metaTitle,
    metaDescription: blog.metaDescription,
    ogImageUrl: blog.ogImageUrl === '' ? null : blog.ogImageUrl,
    canonicalUrl: blog.canonicalUrl,
    ...(blog.publishedAt === null ? {} : { publishedAt: blog.publishedAt }),
    updatedAt: blog.updatedAt,
    translations: blog.translations.map(({ hreflang, url }) => ({ hreflang, url }))
  }
}
