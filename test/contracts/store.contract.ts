import { accountCases, projectCases } from './store/accounts.ts'
import { blogListCases } from './store/blog-lists.ts'
import { blogOverviewCases } from './store/blog-overviews.ts'
import { blogRelatedCases } from './store/blog-related.ts'
import { blogSearchCases } from './store/blog-search.ts'
import { blogSlugCases } from './store/blog-slugs.ts'
import { blogCases } from './store/blogs.ts'
import type { StoreCase } from './store/case.ts'
import { idempotencyCases } from './store/idempotency.ts'
import { imageCases } from './store/images.ts'
import { keyCases } from './store/keys.ts'
import { usageCases } from './store/usage.ts'
import { wholeCases } from './store/whole.ts'

/** What every store promises, whatever it is made of; each case wants an empty one. */
export const STORE_CONTRACT = {
  accounts: accountCases,
  projects: projectCases,
  keys: keyCases,
  blogs: [...blogCases, ...blogListCases, ...blogSearchCases, ...blogSlugCases, ...blogOverviewCases, ...blogRelatedCases],
  images: imageCases,
  idempotency: idempotencyCases,
  usage: usageCases,
  store: wholeCases
} satisfies Record<string, StoreCase[]>
