import { problem } from '../../errors.ts'
import { mapInSlices } from '../../lib/async.ts'
import { escapeMarkup } from '../../lib/html.ts'
import type { BlogMetadata, ReadScope, ProjectRecord, Store } from '../../ports/store/port.ts'
import { assertProjectAllowed } from './writing.ts'
import { blogIndexUrl, toListItemResponse, pageUrl } from './responses.ts'

const FEED_ITEMS = 50
/** The maximum of a sitemap (https://www.sitemaps.org/protocol.html). */
const SITEMAP_URLS = 50_000

/** Escapes text for XML 1.0, and removes the characters that XML 1.0 cannot represent. */
const escapeXml = (text: string): string =>
  escapeMarkup(text.toWellFormed().replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, ''))
const element = (name: string, text: string | null) =>
  text === null || text === '' ? '' : `<${name}>${escapeXml(text)}</${name}>`

/**
 * Feeds and the sitemap of one project, for the customer's website. Links are built from `siteUrl`
 * and `blogPath`.
 */
export function createBlogFeeds({ store, publicUrl }: { store: Store; publicUrl: () => string }) {
  /** Finds the requested project, or the only one. Throws when the project has no site URL. */
  async function findProject(
    reader: ReadScope,
    projectId: string | undefined
  ): Promise<ProjectRecord & { siteUrl: string }> {
    assertProjectAllowed(reader, projectId)
    const ids = projectId === undefined ? (reader.projectIds ?? undefined) : [projectId]
    const visible = await store.projects.list(reader.accountId, ids)
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

  /** What `toItem` makes of the newest published blogs of a project. */
  async function listNewest<Item>(
    { reader, projectId, max }: { reader: ReadScope; projectId: string; max: number },
    toItem: (blog: BlogMetadata) => Item
  ): Promise<Item[]> {
    const items: Item[] = []
    const pageSize = Math.min(max, 1000)
    for (let page = 1; items.length < max; page++) {
      const { blogs } = await store.blogs.list(
        { ...reader, projectId, status: 'published' },
        { page, pageSize, withBody: false }
      )
      for (const item of await mapInSlices(blogs, toItem)) items.push(item)
      if (blogs.length < pageSize) break
    }
    return items.slice(0, max)
  }

  return {
    /** RSS 2.0. */
    async rss(reader: ReadScope, projectId?: string): Promise<string> {
      const project = await findProject(reader, projectId)
      const blogs = await listNewest({ reader, projectId: project.id, max: FEED_ITEMS }, (blog) => blog)
      const items = blogs.map(
        (blog) =>
          '<item>' +
          element('title', blog.title) +
          element('link', pageUrl(blog, project)) +
          `<guid isPermaLink="false">urn:uuid:${blog.id}</guid>` +
          element('pubDate', new Date(blog.publishedAt!).toUTCString()) +
          element('description', blog.metaDescription) +
          element('dc:creator', blog.author?.name ?? null) +
          element('category', blog.category) +
          '</item>'
      )
      return (
        '<?xml version="1.0" encoding="UTF-8"?>\n' +
        '<rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/"><channel>' +
        element('title', project.brandName ?? project.name) +
        element('link', blogIndexUrl(project)) +
        `<description>${escapeXml(project.brandName ?? project.name)}</description>` +
        element('language', blogs[0]?.locale ?? null) +
        items.join('') +
        '</channel></rss>\n'
      )
    },

    /** JSON Feed 1.1. */
    async jsonFeed(reader: ReadScope, projectId?: string): Promise<Record<string, unknown>> {
      const project = await findProject(reader, projectId)
      const blogs = await listNewest({ reader, projectId: project.id, max: FEED_ITEMS }, (blog) =>
        toListItemResponse(blog, { project, publicUrl: publicUrl() })
      )
      return {
        version: 'https://jsonfeed.org/version/1.1',
        title: project.brandName ?? project.name,
        home_page_url: blogIndexUrl(project),
        items: blogs.map((blog) => ({
          id: `urn:uuid:${blog.id}`,
          url: blog.canonicalUrl,
          title: blog.title,
          summary: blog.metaDescription,
          content_text: blog.excerpt,
          image: blog.ogImageUrl ?? undefined,
          date_published: blog.publishedAt,
          date_modified: blog.updatedAt,
          language: blog.locale,
          tags: blog.tags,
          authors: blog.author === null ? undefined : [{ name: blog.author.name, url: blog.author.url ?? undefined }]
        }))
      }
    },

    /**
     * A sitemap (sitemaps.org, 0.9), newest first. Blogs with a canonical URL on another origin are
     * left out, because a sitemap must not list them.
     */
    async sitemap(reader: ReadScope, projectId?: string): Promise<string> {
      const project = await findProject(reader, projectId)
      const { origin } = new URL(project.siteUrl)
      const urls = await listNewest({ reader, projectId: project.id, max: SITEMAP_URLS }, (blog) =>
        blog.canonicalUrl === null || new URL(blog.canonicalUrl).origin === origin
          ? `<url>${element('loc', pageUrl(blog, project))}${element('lastmod', blog.updatedAt)}</url>`
          : ''
      )
      return (
        '<?xml version="1.0" encoding="UTF-8"?>\n' +
        `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls.join('')}</urlset>\n`
      )
    }
  }
}
