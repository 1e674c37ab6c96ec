import { accountCases, projectCases } from './store/accounts.ts'
import { auditCases } from './store/audit.ts'
import { blogBatchCases } from './store/blogs/batches.ts'
import { blogEventCases } from './store/blogs/events.ts'
import { blogListCases } from './store/blogs/lists.ts'
import { blogOverviewCases } from './store/blogs/overviews.ts'
import { blogRelatedCases } from './store/blogs/related.ts'
import { blogResponseCases } from './store/blogs/responses.ts'
import { blogRevisionCases } from './store/blogs/revisions.ts'
import { blogSearchCases } from './store/blogs/search.ts'
import { blogSlugCases } from './store/blogs/slugs.ts'
import { blogTotalCases } from './store/blogs/totals.ts'
import { blogTranslationCases } from './store/blogs/translations.ts'
import { blogCases } from './store/blogs/writes.ts'
import type { StoreCase } from './store/case.ts'
import { visualCheckCases } from './store/visual-checks.ts'
import { deliveryCases } from './store/deliveries.ts'
import { eventCases } from './store/events.ts'
import { idempotencyCases } from './store/idempotency.ts'
import { generatedFileCases } from './store/generated-files.ts'
import { imageCases } from './store/images.ts'
import { importCases } from './store/imports.ts'
import { apiKeyCases } from './store/api-keys.ts'
import { leaseCases } from './store/leases.ts'
import { metadataCases } from './store/metadata.ts'
import { productListCases } from './store/products/lists.ts'
import { productTotalCases } from './store/products/totals.ts'
import { productWorkCases } from './store/products/pending.ts'
import { productCases } from './store/products/writes.ts'
import { randomBlogListCases, randomProductListCases } from './store/random-lists.ts'
import { relatedIndexCases } from './store/related-index.ts'
import { recoveryCases } from './store/recoveries.ts'
import { storageCases } from './store/storage.ts'
import { transferCases } from './store/transfer.ts'
import { usageCases } from './store/usage.ts'
import { webhookCases } from './store/webhooks.ts'
import { storeCases } from './store/store.ts'

/** The guarantees of every store adapter. Each case needs an empty store. */
export const STORE_CONTRACT = {
  accounts: accountCases,
  projects: projectCases,
  apiKeys: apiKeyCases,
  blogs: [
    ...blogCases,
    ...blogBatchCases,
    ...blogListCases,
    ...blogSearchCases,
    ...randomBlogListCases,
    ...blogTotalCases,
    ...blogSlugCases,
    ...blogTranslationCases,
    ...blogOverviewCases,
    ...blogRelatedCases,
    ...blogEventCases
  ],
  blogResponses: blogResponseCases,
  blogRevisions: blogRevisionCases,
  relatedIndex: relatedIndexCases,
  images: imageCases,
  generatedFiles: generatedFileCases,
  products: [
    ...productCases,
    ...productListCases,
    ...productTotalCases,
    ...randomProductListCases,
    ...productWorkCases
  ],
  imports: importCases,
  events: eventCases,
  webhooks: webhookCases,
  deliveries: deliveryCases,
  recoveries: recoveryCases,
  visualChecks: visualCheckCases,
  idempotency: idempotencyCases,
  leases: leaseCases,
  metadata: metadataCases,
  usage: usageCases,
  audit: auditCases,
  storage: storageCases,
  transfer: transferCases,
  store: storeCases
} satisfies Record<string, StoreCase[]>
