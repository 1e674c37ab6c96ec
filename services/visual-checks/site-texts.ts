import type { Store, VisualCheckMetadata } from '../../ports/store/port.ts'

/** Other blogs of the site whose latest checks are read. */
const MAX_BLOGS = 5
/** The latest checks of a blog, of which one has to have opened the page. */
const MAX_CHECKS = 5

type SiteTextStore = Pick<Store, 'blogs' | 'visualChecks'>

/**
 * Hashes of the texts that pages of other blogs have in and around the article: those of the latest
 * completed check of each of the five blogs of the project that were published last. Checks of other
 * origins do not count.
 */
export async function findSiteTexts(
  { blogs, visualChecks }: SiteTextStore,
  { accountId, projectId, blogId, url }: Pick<VisualCheckMetadata, 'accountId' | 'projectId' | 'blogId' | 'url'>
): Promise<string[]> {
  const page = await blogs.list(
    { accountId, projectIds: null, projectId, status: 'published', sort: '-publishedAt' },
    { page: 1, pageSize: MAX_BLOGS + 1, withBody: false }
  )
  const others = page.blogs.filter(({ id }) => id !== blogId).slice(0, MAX_BLOGS)
  const { origin } = new URL(url)
  const texts: string[] = []
  for (const other of others) {
    const { checks } = await visualChecks.list({ accountId, blogId: other.id }, { page: 1, pageSize: MAX_CHECKS })
    const latest = checks.find((one) => one.status === 'completed' && new URL(one.url).origin === origin)
    const check = latest === undefined ? null : await visualChecks.find(accountId, latest.id)
    texts.push(...(check?.result?.siteTexts ?? []))
  }
  return [...new Set(texts)]
}
