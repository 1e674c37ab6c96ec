import type { Metadata } from 'next'
import Link from 'next/link'
import { Cards } from '../../../lib/cards'
import { BLOG_PATH, listPosts } from '../../../lib/content'

export const metadata: Metadata = { title: 'Journal', description: 'All posts of the journal.' }

type Props = { searchParams: Promise<{ page?: string }> }

export default async function Journal({ searchParams }: Props) {
  const number = Math.min(1000, Math.max(1, Math.trunc(Number((await searchParams).page ?? 1)) || 1))
  const { blogs, totalPages = 1 } = await listPosts(number)
  return (
    <>
      <h1>Journal</h1>
      <Cards posts={blogs} heading="h2" />
      <p>
        {number > 1 && (
          <Link rel="prev" href={`${BLOG_PATH}?page=${number - 1}`}>
            Newer posts
          </Link>
        )}{' '}
        {number < totalPages && (
          <Link rel="next" href={`${BLOG_PATH}?page=${number + 1}`}>
            Older posts
          </Link>
        )}
      </p>
    </>
  )
}
