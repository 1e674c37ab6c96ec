import type { BlogListItem, BlogSummary } from 'content-service-client'
import Link from 'next/link'
import { BLOG_PATH } from './content'

/** Posts with picture, title and excerpt. A post without a picture has an empty box of the same size. */
export function Cards({ posts, heading: Heading }: { posts: Array<BlogListItem | BlogSummary>; heading: 'h2' | 'h3' }) {
  return (
    <ul className="cards">
      {posts.map(({ id, slug, locale, title, excerpt, cover }) => (
        <li key={id} lang={locale}>
          {cover === null ? (
            <div className="cover" />
          ) : (
            <img
              className="cover"
              src={cover.url}
              srcSet={cover.srcset ?? undefined}
              sizes="(min-width: 40rem) 21rem, 100vw"
              width={cover.width ?? undefined}
              height={cover.height ?? undefined}
              alt={cover.alt}
              loading="lazy"
            />
          )}
          <Heading dir="auto">
            <Link href={`${BLOG_PATH}/${slug}`} prefetch={false}>
              {title}
            </Link>
          </Heading>
          <p dir="auto">{excerpt}</p>
        </li>
      ))}
    </ul>
  )
}
