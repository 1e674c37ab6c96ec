import type { Store } from '../ports/store/port.ts'
import { SCOPES } from '../schemas/api-key.ts'
import type { ImportedBlog } from '../schemas/blog-import.ts'
import { DEMO } from '../schemas/examples/demo.ts'
import type { ProjectInput } from '../schemas/project.ts'
import type { Accounts } from './accounts.ts'
import type { ApiKeys } from './api-keys/index.ts'
import type { BlogImport } from './blog-import.ts'
import type { Products } from './products/index.ts'
import type { Projects } from './projects.ts'

export const DEMO_ACCOUNT = DEMO.accountId

/** The initial content of the demo account. */
export interface DemoContent {
  projects: ProjectInput[]
  blogs: { projectId: string; blog: ImportedBlog }[]
  products: { projectId: string; products: unknown[] }[]
  history: DemoHistory
}

/** Records of the past, which do not come into being by adding content. */
export interface DemoHistory {
  /** A product file with an invalid row. */
  priceList: Buffer
  /** The screenshot of the visual check (WebP). */
  screenshot: Buffer
}

interface DemoDependencies {
  store: Store
  accounts: Accounts
  projects: Projects
  apiKeys: ApiKeys
  blogImport: BlogImport
  products: Products
  addHistory: (history: DemoHistory) => Promise<void>
}

/** Creates sample content through the same services that handle requests. */
export function createDemo({ store, accounts, projects, apiKeys, blogImport, products, addHistory }: DemoDependencies) {
  return {
    /** Whether the store has no accounts. */
    isStoreEmpty: async () => (await store.accounts.list({ afterId: null, limit: 1 })).length === 0,

    /**
     * Creates the demo account on the largest plan, its content and an API key with all scopes. Resolves
     * with the value of the key.
     */
    async seed({ projects: projectInputs, blogs, products: batches, history }: DemoContent): Promise<string> {
      await accounts.ensure(DEMO_ACCOUNT)
      await accounts.update(DEMO_ACCOUNT, { plan: 'samurai' })
      for (const project of projectInputs) await projects.create(DEMO_ACCOUNT, project)
      const writer = { accountId: DEMO_ACCOUNT, projectIds: null }
      for (const [index, { projectId, blog }] of blogs.entries()) {
        const { result, errors, slug } = await blogImport.importBlog(writer, projectId, {
          index,
          blog,
          ...(blog.slug === DEMO.slug ? { id: DEMO.blogId } : {})
        })
        if (result !== 'created') throw new Error(`Could not create the demo blog ${slug}: ${JSON.stringify(errors)}`)
      }
      const ids = new Map([[DEMO.externalId, DEMO.productId]])
      for (const batch of batches) {
        const { failed, errors } = await products.batch(writer, batch, { ids })
        if (failed > 0) {
          throw new Error(`Could not create the demo products of ${batch.projectId}: ${JSON.stringify(errors)}`)
        }
      }
      await addHistory(history)
      return (await apiKeys.create(DEMO_ACCOUNT, { name: 'Demo key', scopes: [...SCOPES] })).key
    }
  }
}
