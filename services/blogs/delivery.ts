import type { BlogMetadata, BlogTranslationRef, Store } from '../../ports/store/port.ts'
import type { ProjectCache } from '../project-cache.ts'
import type { DeliveryContext } from './responses.ts'

export type BlogDelivery = ReturnType<typeof createBlogDelivery>

type ContextKey = Pick<BlogMetadata, 'accountId' | 'projectId' | 'translationKey'>

/**
 * Reads what the responses of blogs need besides their records: the settings of their projects, and
 * their published translations. `keyEpoch` is the account's, read before the call; without it,
 * projects are read from the store.
 */
export function createBlogDelivery({
  store,
  projects,
  publicUrl
}: {
  store: Store
  projects: ProjectCache
  publicUrl: () => string
}) {
  /** The published translations of the blogs, by project and translation key. */
  async function translationsOf(accountId: string, blogs: ContextKey[]): Promise<Map<string, BlogTranslationRef[]>> {
    const translated = blogs.filter(({ translationKey }) => translationKey !== null)
    const found: BlogTranslationRef[] = []
    for (const [projectId, members] of Map.groupBy(translated, (blog) => blog.projectId)) {
      const keys = [...new Set(members.map(({ translationKey }) => translationKey!))]
      found.push(...(await store.blogs.findTranslations({ accountId, projectId }, keys)))
    }
    return Map.groupBy(found, groupOf)
  }

  /** Returns a function that returns the context of each of these blogs of one account. */
  async function contextsOf(blogs: ContextKey[], keyEpoch = NaN): Promise<(blog: ContextKey) => DeliveryContext> {
    const [first] = blogs
    if (first === undefined) return () => ({ project: null, publicUrl: publicUrl(), translations: [] })
    const { accountId } = first
    const ids = [...new Set(blogs.map(({ projectId }) => projectId))]
    const settings = await projects.get(accountId, ids, keyEpoch)
    const translations = await translationsOf(accountId, blogs)
    return (blog) => ({
      project: settings.get(blog.projectId) ?? null,
      publicUrl: publicUrl(),
      translations: blog.translationKey === null ? [] : (translations.get(groupOf(blog)) ?? [])
    })
  }

  return {
    contextsOf,
    /** Synchronous if nothing has to be read from the store. */
    contextOf(blog: ContextKey, keyEpoch = NaN): DeliveryContext | Promise<DeliveryContext> {
      if (blog.translationKey === null) {
        const project = projects.peek(blog.accountId, blog.projectId, keyEpoch)
        if (project !== null) return { project, publicUrl: publicUrl(), translations: [] }
      }
      return contextsOf([blog], keyEpoch).then((contextFor) => contextFor(blog))
    }
  }
}

const groupOf = ({ projectId, translationKey }: Pick<ContextKey, 'projectId' | 'translationKey'>): string =>
  `${projectId} ${translationKey}`
