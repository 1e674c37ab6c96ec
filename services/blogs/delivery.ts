import type { BlogMetadata, BlogTranslationRef, ProjectRecord, Store } from '../../ports/store/port.ts'
import type { DeliveryContext } from './responses.ts'

export type BlogDelivery = ReturnType<typeof createBlogDelivery>

/**
 * Reads what the responses of blogs need besides their records: the settings of their projects, and
 * their published translations.
 */
export function createBlogDelivery({ store, publicUrl }: { store: Store; publicUrl: () => string }) {
  async function projectsOf(accountId: string, ids: string[]): Promise<Map<string, ProjectRecord>> {
    return new Map((await store.projects.list(accountId, ids)).map((project) => [project.id, project]))
  }

  /** The published translations of the blogs, by project and translation key. */
  async function translationsOf(accountId: string, blogs: BlogMetadata[]): Promise<Map<string, BlogTranslationRef[]>> {
    const translated = blogs.filter(({ translationKey }) => translationKey !== null)
    const found: BlogTranslationRef[] = []
    for (const [projectId, members] of Map.groupBy(translated, (blog) => blog.projectId)) {
      const keys = [...new Set(members.map(({ translationKey }) => translationKey!))]
      found.push(...(await store.blogs.findTranslations({ accountId, projectId }, keys)))
    }
    return Map.groupBy(found, groupOf)
  }

  /** Returns a function that returns the context of each of these blogs of one account. */
  async function contextsOf(blogs: BlogMetadata[]): Promise<(blog: BlogMetadata) => DeliveryContext> {
    const [first] = blogs
    if (first === undefined) return () => ({ project: null, publicUrl: publicUrl(), translations: [] })
    const { accountId } = first
    const projects = await projectsOf(accountId, [...new Set(blogs.map(({ projectId }) => projectId))])
    const translations = await translationsOf(accountId, blogs)
    return (blog) => ({
      project: projects.get(blog.projectId) ?? null,
      publicUrl: publicUrl(),
      translations: blog.translationKey === null ? [] : (translations.get(groupOf(blog)) ?? [])
    })
  }

  return {
    contextsOf,
    contextOf: async (blog: BlogMetadata): Promise<DeliveryContext> => (await contextsOf([blog]))(blog)
  }
}

const groupOf = ({ projectId, translationKey }: Pick<BlogMetadata, 'projectId' | 'translationKey'>): string =>
  `${projectId} ${translationKey}`
