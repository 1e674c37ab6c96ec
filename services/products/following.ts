import type { Queue } from '../../ports/queue/port.ts'
import type { ProductRecord, ProjectPlace } from '../../ports/store/port.ts'

/** One job of a project at a time waits. */
export const projectKey = ({ accountId, projectId }: ProjectPlace) => `${accountId} ${projectId}`

/**
 * Starts the work that saved products wait for. What is not started, because the process dies here,
 * the sweeper finds.
 */
export async function startFollowingWork(
  queue: Queue,
  place: ProjectPlace,
  products: Pick<ProductRecord, 'optimizeDue' | 'pictureDue'>[]
): Promise<void> {
  const { accountId, projectId } = place
  if (products.some(({ optimizeDue }) => optimizeDue !== null)) {
    await queue.add('optimize-products', { accountId, projectId }, { key: projectKey(place) })
  }
  if (products.some(({ pictureDue }) => pictureDue !== null)) {
    await queue.add('check-product-images', { accountId, projectId }, { key: projectKey(place) })
  }
}
