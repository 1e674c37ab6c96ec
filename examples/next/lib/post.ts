import type { Blog } from 'content-service-client'
import { cookies, draftMode } from 'next/headers'
import { readPost } from './content'

/** The cookie with the token of a preview link. */
export const PREVIEW_COOKIE = 'preview'

/** The post of a page, or null if there is none. In draft mode, a draft as its preview link shows it. */
export async function postOf(params: Promise<{ slug: string }>): Promise<Blog | null> {
  const slug = decodeURIComponent((await params).slug)
  const { isEnabled } = await draftMode()
  const token = isEnabled ? (await cookies()).get(PREVIEW_COOKIE)?.value : undefined
  const draft = token === undefined ? null : await readPost(slug, token)
  return draft ?? (await readPost(slug))
}
