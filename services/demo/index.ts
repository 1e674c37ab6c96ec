import { mapConcurrently } from '../../lib/async.ts'
import type { Store } from '../../ports/store/port.ts'
import { SCOPES } from '../../schemas/api-key.ts'
import { DEMO } from '../../schemas/examples/demo.ts'
import type { Accounts } from '../accounts.ts'
import type { ApiKeys } from '../api-keys/index.ts'
import type { BlogImport } from '../blog-import.ts'
import type { Blogs } from '../blogs/index.ts'
import type { Imports } from '../imports/index.ts'
import type { Products } from '../products/index.ts'
import type { Projects } from '../projects.ts'
import type { VisualChecks } from '../visual-checks/index.ts'
import type { Webhooks } from '../webhooks/index.ts'
import { placeContent, type DemoContent } from './content.ts'
import { createDemoChecks } from './checks.ts'
import { createDemoRecords } from './records.ts'
import { createDemoSites } from './sites.ts'

export const DEMO_ACCOUNT = DEMO.accountId

/** Posts that are created at once. Their images are encoded outside of the main thread. */
const POSTS_AT_ONCE = 4
/** Posts whose events are delivered to the receiver of the demo, besides those of products. */
const DELIVERED_POSTS = 3

interface DemoDependencies {
  store: Store
  accounts: Accounts
  projects: Projects
  apiKeys: ApiKeys
  blogs: Blogs
  blogImport: BlogImport
  imports: Imports
  products: Products
  visualChecks: VisualChecks
  webhooks: Webhooks
  publicUrl: () => string
}

/** Creates sample content through the same services that handle requests, and serves its websites. */
export function createDemo({
  store,
  accounts,
  projects,
  apiKeys,
  blogs,
  blogImport,
  imports,
  products,
  visualChecks,
  webhooks,
  publicUrl
}: DemoDependencies) {
  const records = createDemoRecords({ store, apiKeys, imports, webhooks })
  const writer = { accountId: DEMO_ACCOUNT, projectIds: null }
  const baseUrl = () => `${publicUrl()}/demo`
  const sites = createDemoSites({ store, blogs, accountId: DEMO_ACCOUNT })
  const checks = createDemoChecks({ store, visualChecks, sites, accountId: DEMO_ACCOUNT, baseUrl })

  /** The receiver of the demo is a page of this service, whose path names the webhook: see routes/demo/demo.ts. */
  async function addWebhook(): Promise<void> {
    const url = `${baseUrl()}/receivers/${DEMO.webhookId}`
    const description = 'The receiver of the demo, in this service'
    await webhooks.create(DEMO_ACCOUNT, { url, description }, { id: DEMO.webhookId, isRetry: false })
  }

  async function importPosts(posts: DemoContent['blogs']): Promise<void> {
    await mapConcurrently([...posts.entries()], POSTS_AT_ONCE, async ([index, { projectId, blog }]) => {
      const { result, errors, slug } = await blogImport.importBlog(writer, projectId, {
        index,
        blog,
        ...(blog.slug === DEMO.slug ? { id: DEMO.blogId } : {})
      })
      if (result !== 'created') throw new Error(`Could not create the demo blog ${slug}: ${JSON.stringify(errors)}`)
    })
  }

  return {
    sites,

    /** Whether the store has no accounts. */
    isStoreEmpty: async () => (await store.accounts.list({ afterId: null, limit: 1 })).length === 0,

    /**
     * Creates the demo account on the largest plan, its content, a webhook to the receiver of the demo and
     * an API key with all scopes. Resolves with the value of the key.
     */
    async seed(content: DemoContent): Promise<string> {
      const { projects: projectInputs, blogs: posts, products: batches } = placeContent(content, baseUrl())
      await accounts.ensure(DEMO_ACCOUNT)
      await accounts.update(DEMO_ACCOUNT, { plan: 'samurai' })
      for (const project of projectInputs) await projects.create(DEMO_ACCOUNT, project)
      await importPosts(posts.slice(0, -DELIVERED_POSTS))
      await addWebhook()
      await importPosts(posts.slice(-DELIVERED_POSTS))
      const ids = new Map([[DEMO.externalId, DEMO.productId]])
      for (const batch of batches) {
        const { failed, errors } = await products.batch(writer, batch, { ids })
        if (failed > 0) {
          throw new Error(`Could not create the demo products of ${batch.projectId}: ${JSON.stringify(errors)}`)
        }
      }
      await records.addImport(content.priceList)
      await records.addDelivery()
      return (await apiKeys.create(DEMO_ACCOUNT, { name: 'Demo key', scopes: [...SCOPES] })).key
    },

    /** Fills the history of visual checks. See checks.ts. */
    checkPages: checks.run,

    /** Whether a delivery to the receiver of the demo is from this service: verifies it as any receiver does. */
    isSignedDelivery: async (webhookId: string, delivery: { body: Buffer; signature: string }): Promise<boolean> =>
      await webhooks.isSigned(DEMO_ACCOUNT, webhookId, delivery)
  }
}
