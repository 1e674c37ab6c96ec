import { StartError } from '../../errors.ts'
import { parseConfig, readEnvironment } from '../../plugins/config.ts'

/**
 * Throws a StartError where the queue is inside of a server process that this command cannot ask:
 * it would show an empty one of its own.
 */
export function assertReachableQueue(): void {
  const { MONGODB_URL, REDIS_URL } = parseConfig(readEnvironment())
  if (MONGODB_URL === undefined || REDIS_URL !== undefined) return
  throw new StartError(
    'REDIS_URL is required with MONGODB_URL to see the queues: without it the queue is inside the server process, and only GET /api/admin/queues of that process shows it.'
  )
}
