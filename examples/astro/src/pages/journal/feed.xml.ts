import { readContent } from '../../lib/content.ts'

/** The feed of the service, unchanged. */
export async function GET(): Promise<Response> {
  return new Response((await readContent()).feed, { headers: { 'content-type': 'application/rss+xml; charset=utf-8' } })
}
