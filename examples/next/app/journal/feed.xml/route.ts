import { readFeed } from '../../../lib/content'

export const dynamic = 'force-static'

/** The feed of the service, unchanged. */
export async function GET(): Promise<Response> {
  return new Response(await readFeed(), { headers: { 'content-type': 'application/rss+xml; charset=utf-8' } })
}
