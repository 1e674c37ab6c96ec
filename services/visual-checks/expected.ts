import type { VisualCheckMetadata } from '../../ports/store/port.ts'
import type { Blog } from '../../schemas/blog.ts'
import type { Expected } from './findings/rule.ts'

/**
 * What of a blog should be seen at the address that is checked: as it is delivered to the
 * customer's website.
 */
export function expectedOf(
  blog: Omit<Blog, 'publishedAt'>,
  { url, environment }: Pick<VisualCheckMetadata, 'url' | 'environment'>
): Expected {
  const {
    title,
    htmlContent: html,
    cssContent: css,
    locale: language,
    metaDescription,
    ogImageUrl,
    canonicalUrl
  } = blog
  return {
    title,
    html,
    css,
    language,
    url,
    environment,
    metaDescription,
    ogImageUrl: ogImageUrl === '' ? null : ogImageUrl,
    canonicalUrl
  }
}
