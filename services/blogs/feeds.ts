import { problem } from '../../errors.ts'
import { createYielder } from '../../lib/async.ts'
import type {
  BlogBody,
  BlogFilter,
  BlogMetadata,
  BlogRecord,
  ReadScope,
  ProjectRecord,
  Store
} from '../../ports/store/port.ts'
import type { BlogListItem } from '../../schemas/blog.ts'
import type { BlogDelivery } from './delivery.ts'
import { blogIndexUrl, toListItemResponse } from './responses.ts'
import { renderSitemap, renderSitemapIndex } from './sitemap.ts'
import { assertProjectAllowed } from './writing.ts'
import { element, encodeXmlDocument, longElement } from './xml.ts'

const FEED_ITEMS = 50
/** Characters of content in a feed. Items beyond it have a description without the full text. */
const MAX_FEED_LENGTH = 2_000_000
/** The same for what is read to make one: the source and the CSS of a blog are stored together with its content. */
const MAX_READ_LENGTH = 4 * MAX_FEED_LENGTH
/** The maximum of a sitemap (https://www.sitemaps.org/protocol.html). */
const SITEMAP_URLS = 50_000
/** Blogs that are read at once. */
const PAGE_SIZE = 200

/** What a feed contains. `selfUrl`: where the customer's website serves it. */
export interface FeedQuery {
  projectId?: string
  category?: string
  locale?: string
  selfUrl?: string
}

const lengthOf = ({ html, css, source }: BlogBody): number =>
  html.length + css.length + source.text.length + (source.css?.length ?? 0)

export interface SitemapQuery {
  projectId?: string
  page?: number
  selfUrl?: string
}

type SiteProject = ProjectRecord & { siteUrl: string }

interface Parts {
  store: Store
  delivery: BlogDelivery
  publicUrl: () => string
  /** URLs in a sitemap. With more blogs, the sitemap is an index. Default: 50,000. */
  sitemapUrls?: number
}

/**
 * Feeds and the sitemap of one project, for the customer's website. Links are built from `siteUrl`
 * and `blogPath`.
 */
export function createBlogFeeds({ store, delivery, sitemapUrls = SITEMAP_URLS }: Parts) {
  /** Finds the requested project, or the only one. Throws when the project has no site URL. */
  async function findProject(reader: ReadScope, projectId: string | undefined): Promise<SiteProject> {
    assertProjectAllowed(reader, projectId)
    const ids = projectId === undefined ? (reader.projectIds ?? undefined) : [projectId]
    // Two are enough to know that there is not only one.
    const visible = await store.projects.list(reader.accountId, ids, 2)
    const project =
      projectId === undefined && visible.length === 1 ? visible[0] : visible.find(({ id }) => id === projectId)
    const field = (code: string, message: string) =>
      problem('invalid_request', `projectId ${message}.`, { errors: [{ pointer: 'projectId', code, message }] })
    if (project === undefined) {
      throw projectId === undefined
        ? field('required', 'is required because the account has more than one project')
        : problem('project_not_found', `There is no project "${projectId}".`)
    }
    if (project.siteUrl === null) {
      throw field(
        'site_url_missing',
        'refers to a project without a siteUrl; set it with PATCH /api/projects/{projectId}'
      )
    }
    return { ...project, siteUrl: project.siteUrl }
  }

  /** The newest blogs of the feed, with their content up to the limit. */
  async function feedItems(reader: ReadScope, project: SiteProject, query: FeedQuery): Promise<BlogListItem[]> {
    const filter: BlogFilter = {
      ...reader,
      projectId: project.id,
      status: 'published',
      ...(query.category === undefined ? {} : { category: query.category }),
      ...(query.locale === undefined ? {} : { locale: query.locale })
    }
    const { blogs } = await store.blogs.list(filter, { page: 1, pageSize: FEED_ITEMS, withBody: false })
    const contextFor = await delivery.contextsOf(blogs)
    const items: BlogListItem[] = []
    const pause = createYielder()
    let length = 0
    let readLength = 0
    for (const blog of blogs) {
      await pause()
      const complete: BlogRecord | null =
        readLength < MAX_READ_LENGTH ? await store.blogs.find(blog.accountId, blog.id) : null
      const isCurrent = complete?.version === blog.version && length + complete.body.html.length <= MAX_FEED_LENGTH
      if (isCurrent) length += complete.body.html.length
      readLength += complete === null ? 0 : lengthOf(complete.body)
      items.push(toListItemResponse(isCurrent ? complete : blog, contextFor(blog)))
    }
    return items
  }

  return {
    /** RSS 2.0 with the full text of each blog, in UTF-8. */
    async rss(reader: ReadScope, query: FeedQuery = {}): Promise<Buffer> {
      const project = await findProject(reader, query.projectId)
      const blogs = await feedItems(reader, project, query)
      const title = feedTitle(project, query)
      const namespaces = {
        dc: 'http://purl.org/dc/elements/1.1/',
        content: 'http://purl.org/rss/1.0/modules/content/',
        atom: 'http://www.w3.org/2005/Atom',
        media: 'http://search.yahoo.com/mrss/'
      }
      const declarations = Object.entries(namespaces).map(([prefix, uri]) => ` xmlns:${prefix}="${uri}"`)
      const head = [
        `<rss version="2.0"${declarations.join('')}><channel>`,
        element('title', title),
        element('link', blogIndexUrl(project)),
        element('atom:link', '', {
          href: selfUrl(project, 'feed.xml', query),
          rel: 'self',
          type: 'application/rss+xml'
        }),
        element('description', title),
        element('language', query.locale ?? blogs[0]?.locale ?? null),
        element('lastBuildDate', blogs.length === 0 ? null : toRfc822(lastUpdate(blogs)))
      ]
      return await encodeXmlDocument(rssParts(head, blogs))
    },

    /** JSON Feed 1.1 with the full text of each blog. */
    async jsonFeed(reader: ReadScope, query: FeedQuery = {}): Promise<Record<string, unknown>> {
      const project = await findProject(reader, query.projectId)
      const blogs = await feedItems(reader, project, query)
      return {
        version: 'https://jsonfeed.org/version/1.1',
        title: feedTitle(project, query),
        home_page_url: blogIndexUrl(project),
        feed_url: selfUrl(project, 'feed.json', query),
        items: blogs.map((blog) => ({
          id: `urn:uuid:${blog.id}`,
          url: blog.canonicalUrl,
          title: blog.title,
          summary: blog.metaDescription,
          ...(blog.htmlContent === undefined
            ? { content_text: blog.excerpt }
            : { content_html: blog.htmlContent, content_text: blog.excerpt }),
          image: blog.cover?.url ?? blog.ogImageUrl,
          banner_image: blog.ogImageUrl,
          date_published: blog.publishedAt,
          date_modified: blog.updatedAt,
          language: blog.locale,
          tags: blog.tags,
          authors:
            blog.authors.length === 0
              ? undefined
              : blog.authors.map(({ name, url }) => ({ name, url: url ?? undefined }))
        }))
      }
    },

    /**
     * A sitemap (sitemaps.org, 0.9) with images and the URLs of translations, newest first. With more
     * blogs than a sitemap may have, an index of sitemaps: its URLs are `selfUrl` with the parameter
     * `page`. Blogs with a canonical URL on another origin are left out, because a sitemap must not
     * list them.
     */
    async sitemap(reader: ReadScope, query: SitemapQuery = {}): Promise<Buffer> {
      const project = await findProject(reader, query.projectId)
      const filter: BlogFilter = { ...reader, projectId: project.id, status: 'published' }
      const { totalCount } = await store.blogs.list(filter, { page: 1, pageSize: 1, withBody: false })
      const pages = Math.max(1, Math.ceil(totalCount / sitemapUrls))
      if (query.page === undefined && pages > 1) {
        return Buffer.from(renderSitemapIndex(selfUrl(project, 'sitemap.xml', query), pages))
      }
      const { page = 1 } = query
      if (page > pages) throw problem('not_found', `The sitemap has ${pages} pages, and no page ${page}.`)
      const { origin } = new URL(project.siteUrl)
      return await renderSitemap(listBlogs(filter, page), origin)
    }
  }

  /**
   * The blogs on a page of the sitemap as responses, read in batches. Only the first batch is found by its number,
   * which may have to skip all blogs before it. The others begin after the last blog of the one before.
   */
  async function* listBlogs(filter: BlogFilter, sitemapPage: number): AsyncGenerator<BlogListItem> {
    const pageSize = Math.min(PAGE_SIZE, sitemapUrls)
    const batches = Math.ceil(sitemapUrls / pageSize)
    const pause = createYielder()
    let last: BlogMetadata | undefined
    for (let batch = 0; batch < batches; batch++) {
      const page = (sitemapPage - 1) * batches + 1
      const blogs: BlogMetadata[] =
        last === undefined
          ? (await store.blogs.list(filter, { page, pageSize, withBody: false })).blogs
          : await store.blogs.listAfter(filter, {
              after: { value: last.publishedAt, id: last.id },
              limit: pageSize,
              withBody: false
            })
      const contextFor = await delivery.contextsOf(blogs)
      for (const blog of blogs) {
        await pause()
        yield toListItemResponse(blog, contextFor(blog))
      }
      if (blogs.length < pageSize) return
      last = blogs.at(-1)
    }
  }
}

const feedTitle = ({ brandName, name }: ProjectRecord, { category }: FeedQuery): string =>
  category === undefined ? (brandName ?? name) : `${brandName ?? name}: ${category}`

/** The URL of a feed on the customer's website: the given one, or the file below the blog list. */
function selfUrl(project: ProjectRecord, file: string, query: FeedQuery): string {
  if (query.selfUrl !== undefined) return query.selfUrl
  const url = new URL(`${blogIndexUrl(project)!}/${file}`)
  for (const name of ['category', 'locale'] as const) {
    const value = query[name]
    if (value !== undefined) url.searchParams.set(name, value)
  }
  return url.href
}

const toRfc822 = (time: string): string => new Date(time).toUTCString()
const lastUpdate = (blogs: BlogListItem[]): string =>
  blogs.reduce((last, { updatedAt }) => (updatedAt > last ? updatedAt : last), '')

function* rssParts(head: string[], blogs: BlogListItem[]): Generator<string> {
  yield head.join('')
  for (const blog of blogs) yield* rssItem(blog)
  yield '</channel></rss>'
}

function* rssItem(blog: BlogListItem): Generator<string> {
  const image = blog.cover ?? { url: blog.ogImageUrl, width: null, height: null, alt: '' }
  const { url, width, height } = image
  const media = { url, medium: 'image', ...(width === null || height === null ? {} : { width, height }) }
  yield [
    '<item>',
    element('title', blog.title),
    element('link', blog.canonicalUrl),
    element('guid', `urn:uuid:${blog.id}`, { isPermaLink: 'false' }),
    element('pubDate', toRfc822(blog.publishedAt!)),
    element('description', blog.metaDescription)
  ].join('')
  if (blog.htmlContent !== undefined && blog.htmlContent !== '') yield* longElement('content:encoded', blog.htmlContent)
  yield [
    ...blog.authors.map(({ name }) => element('dc:creator', name)),
    element('category', blog.category),
    ...blog.tags.map((tag) => element('category', tag)),
    `${element('media:content', '', media as Record<string, string | number>).replace(/\/>$/, '>')}`,
    element('media:description', image.alt),
    '</media:content>',
    '</item>'
  ].join('')
}
