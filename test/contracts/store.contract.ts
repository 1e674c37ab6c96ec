import { accountCases, projectCases } from './store/accounts.ts'
import { blogEventCases } from './store/blog-events.ts'
import { blogListCases } from './store/blog-lists.ts'
import { blogOverviewCases } from './store/blog-overviews.ts'
import { blogRelatedCases } from './store/blog-related.ts'
import { blogSearchCases } from './store/blog-search.ts'
import { blogSlugCases } from './store/blog-slugs.ts'
import { blogCases } from './store/blogs.ts'
import type { StoreCase } from './store/case.ts'
import { visualCheckCases } from './store/checks.ts'
import { deliveryCases } from './store/deliveries.ts'
import { eventCases } from './store/events.ts'
import { idempotencyCases } from './store/idempotency.ts'
import { imageCases } from './store/images.ts'
import { importCases } from './store/imports.ts'
import { keyCases } from './store/keys.ts'
import { leaseCases } from './store/leases.ts'
import { productListCases } from './store/product-lists.ts'
import { productWorkCases } from './store/product-work.ts'
import { productCases } from './store/products.ts'
import { recoveryCases } from './store/recoveries.ts'
import { transferCases } from './store/transfer.ts'
import { usageCases } from './store/usage.ts'
import { webhookCases } from './store/webhooks.ts'
import { wholeCases } from './store/whole.ts'

/** What every store promises, whatever it is made of; each case wants an empty one. */
export const STORE_CONTRACT = {
  accounts: accountCases,
  projects: projectCases,
  apiKeys: keyCases,
  blogs: [
    ...blogCases,
    ...blogListCases,
    ...blogSearchCases,
    ...blogSlugCases,
    ...blogOverviewCases,
    ...blogRelatedCases,
    ...blogEventCases
  ],
  images: imageCases,
  products: [...productCases, ...productListCases, ...productWorkCases],
  imports: importCases,
  events: eventCases,
  webhooks: webhookCases,
  deliveries: deliveryCases,
  recoveries: recoveryCases,
  visualChecks: visualCheckCases,
  idempotency: idempotencyCases,
  leases: leaseCases,
  usage: usageCases,
  transfer: transferCases,
  store: wholeCases
} satisfies Record<string, StoreCase[]>
