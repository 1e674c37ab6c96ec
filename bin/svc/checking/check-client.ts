import { Writable } from 'node:stream'
import type { QueueState } from '../../../schemas/queue.ts'
import type { VisualCheck, VisualCheckInput } from '../../../schemas/visual-check.ts'
import { accountPath } from '../account-lines.ts'
import { RefusedError, type Operator } from '../operator.ts'
import { queueState } from '../queue-state.ts'

/** What the command asks of the service. */
export interface CheckClient {
  /**
   * Asks for a check of a page against the account's published blog of this slug; it waits for its
   * turn, or has ended at once. Throws RefusedError.
   */
  request: (slug: string, input: VisualCheckInput) => Promise<VisualCheck>
  /** The check as it is by now. Throws RefusedError. */
  find: (check: Pick<VisualCheck, 'id' | 'blogId'>) => Promise<VisualCheck>
  /** The bytes of a picture, WebP; null where it is not there any more. Throws RefusedError. */
  picture: (check: Pick<VisualCheck, 'id' | 'blogId'>, name: string) => Promise<Buffer | null>
  /**
   * How the checks of all accounts wait; null while the queue does not answer. Throws RefusedError.
   */
  queue: () => Promise<QueueState | null>
}

/** Visual checks of an account, by the interface for administrators. */
export function createCheckClient(service: Operator, account: string): CheckClient {
  const checks = (blog: string) => `${accountPath(account)}/blogs/${encodeURIComponent(blog)}/visual-checks`
  return {
    request: async (slug, input) => await service.call<VisualCheck>('POST', checks(slug), { body: input }),
    find: async ({ blogId, id }) => await service.call<VisualCheck>('GET', `${checks(blogId)}/${id}`),
    async picture({ blogId, id }, name) {
      const chunks: Buffer[] = []
      const collect = new Writable({
        write(chunk: Buffer, encoding, done) {
          chunks.push(chunk)
          done()
        }
      })
      try {
        await service.download(`${checks(blogId)}/${id}/screenshots/${encodeURIComponent(name)}`, collect)
      } catch (error) {
        if (error instanceof RefusedError && error.problem.code === 'screenshot_not_found') return null
        throw error
      }
      return Buffer.concat(chunks)
    },
    queue: async () => await queueState(service, 'run-visual-check')
  }
}
