import type { Queue } from '../../ports/queue/port.ts'
import type { ProductRecord, ProjectRef } from '../../ports/store/port.ts'

/** One job of a project at a time waits. */
export const projectKey = ({ accountId, projectId }: ProjectRef) => `${accountId} ${projectId}`

/**
 * Starts the work that saved products wait for. What is not started, because the process dies here,
 * the sweeper finds.
 */
export async function addFollowUpJobs(
  queue: Queue,
  place: ProjectRef,
  products: Pick<ProductRecord, 'optimizePendingSince' | 'imageCheckPendingSince'>[]
): Promise<void> {
  const { accountId, projectId } = place
  if (products.some(({ optimizePendingSince }) => optimizePendingSince !== null)) {
    await queue.add('optimize-products', { accountId, projectId }, { key: projectKey(place) })
  }
  if (products.some(({ imageCheckPendingSince }) => imageCheckPendingSince !== null)) {
    await queue.add('check-product-images', { accountId, projectId }, { key: projectKey(place) })
  }
}
