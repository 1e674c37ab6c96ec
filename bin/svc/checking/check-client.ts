import { Writable } from 'node:stream'
import type { VisualCheck, VisualCheckInput } from '../../../schemas/visual-check.ts'
import { accountPath } from '../account-lines.ts'
import type { Operator } from '../operator.ts'

/** What the command asks of the service. */
export interface CheckClient {
  /** Asks for a check of a page against the account's published blog of this slug; it waits for its turn, or has ended at once. Throws RefusedError. */
  request: (slug: string, input: VisualCheckInput) => Promise<VisualCheck>
  /** The check as it is by now. Throws RefusedError. */
  find: (check: Pick<VisualCheck, 'id' | 'blogId'>) => Promise<VisualCheck>
  /** The bytes of a picture, WebP. Throws RefusedError. */
  picture: (check: Pick<VisualCheck, 'id' | 'blogId'>, name: string) => Promise<Buffer>
}

/** Visual checks of an account, by the interface for administrators. */
export function createCheckClient (service: Operator, account: string): CheckClient {
  const checks = (blog: string) => `${accountPath(account)}/blogs/${encodeURIComponent(blog)}/visual-checks`
  return {
    request: async (slug, input) => await service.call<VisualCheck>('POST', checks(slug), { body: input }),
    find: async ({ blogId, id }) => await service.call<VisualCheck>('GET', `${checks(blogId)}/${id}`),
    async picture ({ blogId, id }, name) {
      const chunks: Buffer[] = []
      const collect = new Writable({
        write (chunk: Buffer, encoding, done) {
          chunks.push(chunk)
          done()
        }
      })
      await service.download(`${checks(blogId)}/${id}/screenshots/${encodeURIComponent(name)}`, collect)
      return Buffer.concat(chunks)
    }
  }
}
