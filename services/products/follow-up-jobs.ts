import type { Queue } from '../../ports/queue/port.ts'
import type { ProductRecord, ProjectRef } from '../../ports/store/port.ts'

/** Job key: at most one job of a kind waits per project. */
export const projectKey = ({ accountId, projectId }: ProjectRef) => `${accountId} ${projectId}`

/**
 * Enqueues the pending work of saved products. If the process dies before that, the sweeper
 * enqueues the jobs.
 */
export async function addFollowUpJobs(
  queue: Queue,
  project: ProjectRef,
  products: Pick<ProductRecord, 'optimizePendingSince' | 'imageCheckPendingSince'>[]
): Promise<void> {
  const { accountId, projectId } = project
  if (products.some(({ optimizePendingSince }) => optimizePendingSince !== null)) {
    await queue.add('optimize-products', { accountId, projectId }, { key: projectKey(project) })
  }
  if (products.some(({ imageCheckPendingSince }) => imageCheckPendingSince !== null)) {
    await queue.add('check-product-images', { accountId, projectId }, { key: projectKey(project) })
  }
}
