import type { BlogMetadata, ProjectRecord, Store } from '../../ports/store/port.ts'
import type { Blog, BlogSummary } from '../../schemas/blog.ts'
import { ApiError } from '../../errors.ts'
import type { Blogs } from '../blogs/index.ts'

/**
 * The versions of the template of the demo's post pages. `first` and `second` have the defects that the history of
 * visual checks shows: see routes/demo/pages/post.ts.
 */
export type SiteTemplate = 'first' | 'second' | 'final'

/** A post as the API returns it to a website. */
export type SitePost = Blog & { related: BlogSummary[] }

const RELATED = 3
const MAX_POSTS = 100

export type DemoSites = ReturnType<typeof createDemoSites>

/** The content of the websites of the demo, as a website reads it from the service. */
export function createDemoSites({ store, blogs, accountId }: { store: Store; blogs: Blogs; accountId: string }) {
  let template: SiteTemplate = 'final'

  return {
    /** The template that post pages have now. */
    template: (): SiteTemplate => template,

    /** Publishes another version of the template, until the process ends. */
    setTemplate(next: SiteTemplate): void {
      template = next
    },

    /** The project of a site; null if the demo was not created, or the project was deleted. */
    project: async (projectId: string): Promise<ProjectRecord | null> =>
      await store.projects.find(accountId, projectId),

    /** The newest published posts of a site. */
    async posts(projectId: string): Promise<BlogMetadata[]> {
      const list = await store.blogs.list(
        { accountId, projectIds: null, projectId, status: 'published' },
        { page: 1, pageSize: MAX_POSTS, withBody: false }
      )
      return list.blogs
    },

    /** The post with a slug, the current slug of a renamed one, or null. */
    async post(projectId: string, slug: string): Promise<{ post: SitePost } | { movedTo: string } | null> {
      try {
        const found = await blogs.getBySlug(
          { accountId, projectIds: null },
          { slug, projectId },
          { relatedLimit: RELATED }
        )
        if (found.kind === 'moved') return { movedTo: found.slug }
        return { post: JSON.parse(found.body.toString()) as SitePost }
      } catch (error) {
        if (error instanceof ApiError && (error.code === 'blog_not_found' || error.code === 'blog_gone')) return null
        throw error
      }
    }
  }
}
