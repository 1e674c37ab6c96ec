import { cookies, draftMode } from 'next/headers'
import { redirect } from 'next/navigation'
import { BLOG_PATH, readPost } from '../../../lib/content'
import { PREVIEW_COOKIE } from '../../../lib/post'

/**
 * Shows a draft: `/api/draft?slug=…&token=…`, with the token of `POST /api/v1/blogs/{blogId}/preview`.
 * Without parameters, it leaves draft mode.
 */
export async function GET(request: Request): Promise<Response> {
  const { searchParams } = new URL(request.url)
  const slug = searchParams.get('slug')
  const token = searchParams.get('token')
  const draft = await draftMode()
  const jar = await cookies()
  if (slug === null || token === null) {
    draft.disable()
    jar.delete(PREVIEW_COOKIE)
    redirect(BLOG_PATH)
  }
  const post = await readPost(slug, token)
  if (post === null) return new Response('The preview link is not valid, or it has expired.', { status: 404 })
  draft.enable()
  jar.set(PREVIEW_COOKIE, token, { httpOnly: true, sameSite: 'lax', secure: request.url.startsWith('https:') })
  redirect(`${BLOG_PATH}/${post.slug}`)
}
