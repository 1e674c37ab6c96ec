import type { Metadata } from 'next'
import { notFound, permanentRedirect } from 'next/navigation'
import { Cards } from '../../../../lib/cards'
import { BLOG_PATH, formatDate } from '../../../../lib/content'
import { postOf } from '../../../../lib/post'

type Props = { params: Promise<{ slug: string }> }

/** Posts are rendered at the first visit, and again after a webhook (app/api/revalidate). */
export const generateStaticParams = () => []

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const post = await postOf(params)
  if (post === null) return { title: 'Not found' }
  const languages = post.translations.flatMap(({ hreflang, url }) => (url === null ? [] : [[hreflang, url]]))
  const { metaTitle: title, metaDescription: description, ogImageUrl } = post
  return {
    title,
    description,
    alternates: { canonical: post.canonicalUrl, languages: Object.fromEntries(languages) },
    openGraph: { type: 'article', title, description, images: ogImageUrl, url: post.canonicalUrl ?? undefined },
    twitter: { card: 'summary_large_image' }
  }
}

export default async function Post({ params }: Props) {
  const post = await postOf(params)
  if (post === null) notFound()
  // A former slug leads to the post.
  if (post.slug !== decodeURIComponent((await params).slug)) permanentRedirect(`${BLOG_PATH}/${post.slug}`)
  return (
    <>
      <article>
        <style dangerouslySetInnerHTML={{ __html: post.cssContent }} />
        <script type="application/ld+json" dangerouslySetInnerHTML={{ __html: post.schemaOrgJson }} />
        <h1 lang={post.lang} dir={post.dir}>
          {post.title}
        </h1>
        <p dir={post.dir}>
          {post.authors.map(({ name }) => name).join(', ')}{' '}
          <time dateTime={post.publishedAt}>{formatDate(post.publishedAt, post.lang)}</time>
        </p>
        <div dangerouslySetInnerHTML={{ __html: post.htmlContent }} />
      </article>
      {post.related !== undefined && post.related.length > 0 && (
        <aside>
          <h2>Read next</h2>
          <Cards posts={post.related} heading="h3" />
        </aside>
      )}
    </>
  )
}
