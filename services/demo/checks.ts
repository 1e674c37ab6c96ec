import type { Store } from '../../ports/store/port.ts'
import { DEMO } from '../../schemas/examples/demo.ts'
import type { VisualChecks } from '../visual-checks/index.ts'
import type { DemoSites, SiteTemplate } from './sites.ts'

/** The post whose page is checked. */
const { projectId: PROJECT, slug: SLUG } = DEMO
const TEMPLATES: readonly SiteTemplate[] = ['first', 'second', 'final']
/** A check that takes longer is not waited for: the machine is too slow for a demonstration. */
const CHECK_MS = 120_000

interface Dependencies {
  store: Store
  visualChecks: VisualChecks
  sites: DemoSites
  accountId: string
  /** The address of the websites of the demo, without a slash at the end. */
  baseUrl: () => string
}

/**
 * A history of visual checks for the demo, from real checks of a real page: the site of the demo publishes three
 * versions of its template, and its page is checked after each one.
 */
export function createDemoChecks({ store, visualChecks, sites, accountId, baseUrl }: Dependencies) {
  const reader = { accountId, projectIds: null }

  async function findPage(): Promise<{ blogId: string; url: string } | null> {
    const project = await sites.project(PROJECT)
    const found = await store.blogs.resolveSlug({ ...reader, projectId: PROJECT }, SLUG)
    if (project?.siteUrl !== `${baseUrl()}/${PROJECT}` || found?.kind !== 'blog') return null
    return { blogId: found.blog.id, url: `${project.siteUrl}${project.blogPath}/${SLUG}` }
  }

  async function hasChecks(blogId: string): Promise<boolean> {
    const { totalCount } = await visualChecks.list(reader, blogId, { page: 1, pageSize: 1 })
    return totalCount > 0
  }

  return {
    /**
     * Runs the checks one after another, unless they were made before or the website has another address. Returns
     * the number of finished ones. Ends early, with the final template, when the signal is aborted or a check fails.
     * Rejects with `unavailable` and the cause if no browser starts in this process.
     */
    async run(signal: AbortSignal): Promise<number> {
      const page = await findPage()
      if (page === null || (await hasChecks(page.blogId))) return 0
      await visualChecks.startBrowser(accountId, signal)
      let finished = 0
      try {
        for (const template of TEMPLATES) {
          if (signal.aborted) return finished
          sites.setTemplate(template)
          const check = await visualChecks.request(reader, page.blogId, {
            url: page.url,
            screenshots: 'full',
            // The samples of the API document read the first check: ids are in the order of the checks.
            operation: template === 'first' ? { id: DEMO.checkId, isRetry: false } : undefined
          })
          const { status } = await visualChecks.wait(check, CHECK_MS, { isAborted: () => signal.aborted })
          if (status !== 'completed') return finished
          finished++
        }
        return finished
      } finally {
        sites.setTemplate('final')
      }
    }
  }
}
