import type { Store } from '../ports/store/port.ts'
import type { ImportedBlog } from '../schemas/blog-import.ts'
import type { ProjectInput } from '../schemas/project.ts'
import type { Accounts } from './accounts.ts'
import type { ApiKeys } from './api-keys/index.ts'
import type { BlogImport } from './blog-import.ts'
import type { Products } from './products/index.ts'
import type { Projects } from './projects.ts'

export const DEMO_ACCOUNT = 'demo'

/** What the demo account begins with. */
export interface DemoContent {
  projects: ProjectInput[]
  blogs: { projectId: string; blog: ImportedBlog }[]
  products: { projectId: string; products: unknown[] }[]
}

interface DemoDependencies {
  store: Store
  accounts: Accounts
  projects: Projects
  apiKeys: ApiKeys
  blogImport: BlogImport
  products: Products
}

/**
 * Content to look at for whoever tries the product: made through the same services as everybody's.
 */
export function createDemo({ store, accounts, projects, apiKeys, blogImport, products }: DemoDependencies) {
  return {
    /** Whether nobody has used this store yet. */
    isStoreEmpty: async () => (await store.accounts.list({ afterId: null, limit: 1 })).length === 0,

    /**
     * Makes the account, on the largest plan so that trying is not stopped by a limit, its content,
     * and a key, whose value it returns.
     */
    async seed({ projects: given, blogs, products: batches }: DemoContent): Promise<string> {
      await accounts.ensure(DEMO_ACCOUNT)
      await accounts.update(DEMO_ACCOUNT, { plan: 'samurai' })
      for (const project of given) await projects.create(DEMO_ACCOUNT, project)
      for (const [index, { projectId, blog }] of blogs.entries()) {
        const { result, errors, slug } = await blogImport.importBlog(DEMO_ACCOUNT, projectId, { index, blog })
        if (result !== 'created') throw new Error(`The demo blog ${slug} could not be made: ${JSON.stringify(errors)}`)
      }
      for (const batch of batches) {
        const { failed, errors } = await products.batch({ accountId: DEMO_ACCOUNT, projectIds: null }, batch, {})
        if (failed > 0) {
          throw new Error(`The demo products of ${batch.projectId} could not be made: ${JSON.stringify(errors)}`)
        }
      }
      return (await apiKeys.create(DEMO_ACCOUNT, { name: 'Demo key' })).key
    }
  }
}
