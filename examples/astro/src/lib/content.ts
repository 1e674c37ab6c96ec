import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { type BlogListItem, type BlogRedirect, createClient, ProblemError } from 'content-service-client'

/** Where the list of posts is. The setting `blogPath` of the project has the same value. */
export const BLOG_PATH = '/journal'

/** A post with its content, as the list returns it with `include=content`. */
export type Post = BlogListItem & Required<Pick<BlogListItem, 'htmlContent' | 'cssContent' | 'schemaOrgJson'>>

export interface Content {
  /** The ETag of the first page of the list, sorted by change: it changes with every change of any post. */
  etag: string | null
  /** The requests that the last synchronization needed. */
  requests: number
  posts: Post[]
  redirects: BlogRedirect[]
  feed: string
}

const FOLDER = '.cache'
const FILE = `${FOLDER}/content.json`
const MAX_READS = 3

/**
 * Brings the file of all content up to date: 1 request if nothing has changed, otherwise 1 for each
 * 100 posts, 1 for the redirects and 1 for the feed. The pages of the site read the file.
 */
export async function syncContent(): Promise<Content> {
  const projectId = setting('SVC_PROJECT')
  let requests = 0
  const client = createClient({
    url: setting('SVC_URL'),
    key: setting('SVC_KEY'),
    etags: false,
    fetch: async (request) => {
      requests++
      return await fetch(request)
    }
  })
  const saved = await readContent().catch(() => null)
  const query = { projectId, include: 'content', pageSize: 100, sort: '-updatedAt' } as const
  for (let read = 1; ; read++) {
    const header = read === 1 && saved?.etag != null ? { 'If-None-Match': saved.etag } : {}
    const { data, error, response } = await client.raw.GET('/api/v1/blogs', { params: { query, header } })
    if (response.status === 304 && saved !== null) return await save({ ...saved, requests })
    if (data === undefined) throw new ProblemError(response, error)
    const posts = [...data.blogs]
    if (data.nextCursor !== null) {
      const rest = { params: { query: { ...query, cursor: data.nextCursor } } }
      for await (const post of client.iterate('/api/v1/blogs', rest)) posts.push(post)
    }
    // A post that was changed meanwhile has moved to the first page.
    if (posts.length < (data.totalCount ?? 0) && read < MAX_READS) continue
    const redirects = await client.get('/api/v1/blogs/redirects', { params: { query: { projectId } } })
    const feed = await client.get('/api/v1/blogs/feed.xml', { params: { query: { projectId } } })
    const newestFirst = posts.filter(isComplete).sort((a, b) => (a.publishedAt! < b.publishedAt! ? 1 : -1))
    return await save({ etag: response.headers.get('etag'), requests, posts: newestFirst, redirects, feed })
  }
}

/** The content of the last synchronization. */
export async function readContent(): Promise<Content> {
  return JSON.parse(await readFile(FILE, 'utf8'))
}

/** A date in the language of a post, such as "November 24, 2026". */
export function formatDate(time: string, lang: string): string {
  return new Intl.DateTimeFormat(lang, { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(time))
}

async function save(content: Content): Promise<Content> {
  await mkdir(FOLDER, { recursive: true })
  await writeFile(`${FILE}.new`, JSON.stringify(content))
  await rename(`${FILE}.new`, FILE)
  console.log(`content: ${content.posts.length} posts, requests: ${content.requests}`)
  return content
}

function isComplete(post: BlogListItem): post is Post {
  return post.htmlContent !== undefined && post.cssContent !== undefined && post.schemaOrgJson !== undefined
}

function setting(name: string): string {
  const value = process.env[name]
  if (value === undefined || value === '') throw new Error(`Set the environment variable ${name} (see README.md).`)
  return value
}
