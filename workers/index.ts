import type { JobName } from '../schemas/jobs.ts'
import { checkProductImages } from './check-product-images.ts'
import { deliverWebhooks } from './deliver-webhooks.ts'
import { fanOutEvents } from './fan-out-events.ts'
import { importProducts } from './import-products.ts'
import { optimizeProducts } from './optimize-products.ts'
import { publishBlog } from './publish-blog.ts'
import { publishProductEvents } from './publish-product-events.ts'
import { recoverDeliveries } from './recover-deliveries.ts'
import { refreshRelated } from './refresh-related.ts'
import { runVisualCheck } from './run-visual-check.ts'
import { sweep } from './sweep.ts'
import type { Worker } from './worker.ts'

/** The worker of every job. A missing one is a compile-time error. */
export const workers: { [N in JobName]: Worker<N> } = {
  'publish-blog': publishBlog,
  'refresh-related': refreshRelated,
  'import-products': importProducts,
  'optimize-products': optimizeProducts,
  'check-product-images': checkProductImages,
  'publish-product-events': publishProductEvents,
  'fan-out-events': fanOutEvents,
  'deliver-webhooks': deliverWebhooks,
  'recover-deliveries': recoverDeliveries,
  'run-visual-check': runVisualCheck,
  sweep
}
