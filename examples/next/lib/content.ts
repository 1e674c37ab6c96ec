import { type Blog, type BlogList, createClient, ProblemError } from 'content-service-client'

/** Where the list of posts is. The setting `blogPath` of the project has the same value. */
export const BLOG_PATH = '/journal'
/** Pages are also rendered again after this time, in case a webhook was lost. */
const REVALIDATE_SECONDS = 3600

const projectId = setting('SVC_PROJECT')
const options = {
  url: setting('SVC_URL'),
  key: setting('SVC_KEY'),
  // Next.js stores responses itself.
  etags: false
} as const
const stored = createClient({
  ...options,
  fetch: (request) => fetch(request, { cache: 'force-cache', next: { revalidate: REVALIDATE_SECONDS } })
})
const direct = createClient({ ...options, fetch: (request) => fetch(request, { cache: 'no-store' }) })

/** A page of the list of posts. */
export async function listPosts(page: number): Promise<BlogList> {
  return await stored.get('/api/v1/blogs', { params: { query: { projectId, page, pageSize: 24 } } })
}

/** A post with its related posts; null if there is none. With the token of a preview link, also a draft. */
export async function readPost(slug: string, preview?: string): Promise<Blog | null> {
  try {
    return await (preview === undefined ? stored : direct).get('/api/v1/blogs/{slug}', {
      params: {
        path: { slug },
        query: { projectId, include: 'related', ...(preview === undefined ? {} : { preview }) }
      }
    })
  } catch (error) {
    if (error instanceof ProblemError && [400, 404].includes(error.status)) return null
    throw error
  }
}

export async function readFeed(): Promise<string> {
  return await stored.get('/api/v1/blogs/feed.xml', { params: { query: { projectId } } })
}

/** A date in the language of a post, such as "November 24, 2026". */
export function formatDate(time: string, lang: string): string {
  return new Intl.DateTimeFormat(lang, { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(time))
}

/** An environment variable that must be set. */
export function setting(name: string): string {
  const value = process.env[name]
  if (value === undefined || value === '') throw new Error(`Set ${name} in .env.local (see README.md).`)
  return value
}
