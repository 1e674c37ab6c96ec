import type { Limits } from '../ports/limits/port.ts'
import type { BlogVector, Store } from '../ports/store/port.ts'
import { allRelated } from './blogs/related/index.ts'

const PAGE = 2000
/** Lists are written in portions, so that readers are never kept waiting for long. */
const PORTION = 500

/** Works out which blogs are near which, for all published blogs of an account, and tells readers when something changed. */
export function createRelatedBlogs ({ store, limits }: { store: Store, limits: Limits }) {
  async function vectors (accountId: string): Promise<BlogVector[]> {
    const all: BlogVector[] = []
    let afterId: string | null = null
    while (true) {
      const page: BlogVector[] = await store.blogs.vectors(accountId, { afterId, limit: PAGE })
      all.push(...page)
      if (page.length < PAGE) return all
      afterId = page.at(-1)!.id
    }
  }

  return {
    /** Harmless when run twice: the lists follow from what is published now. */
    async refresh (accountId: string): Promise<void> {
      const lists = allRelated(await vectors(accountId))
      for (let start = 0; start < lists.length; start += PORTION) await store.blogs.setRelated(accountId, lists.slice(start, start + PORTION))
      await limits.bumpEpoch(accountId, 'content')
    }
  }
}
