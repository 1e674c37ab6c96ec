import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'

export const ACCOUNT = 'bench'
export const BLOG_PROJECT = 'site'
export const PRODUCT_PROJECT = 'shop'

/** A command to the process of the service. */
export type Command =
  | { name: 'fill'; target: { posts: number; products: number; accounts: number } }
  | { name: 'importPosts'; first: number; count: number }
  | { name: 'usage' }
  | { name: 'idle' }
  | { name: 'addWebhooks'; count: number; origin: string }
  | { name: 'removeWebhooks' }
  | { name: 'close' }

export interface Reply {
  /** Size of the data folder. Null over MongoDB. */
  bytes?: number | null
  /** CPU time of the process since its start, of all its threads. */
  cpuMs?: number
  rssBytes?: number
}

/** The service in its own process. */
export interface GrowthService {
  url: string
  key: string
  send: (command: Command) => Promise<Reply>
}

export async function startGrowthService(): Promise<GrowthService> {
  const child: ChildProcess = fork(path.join(import.meta.dirname, 'service.ts'), {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc']
  })
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`The service ended with the exit code ${code}`)
  })
  ended.catch(() => {}) // Reported by the command that waits.
  const [{ url, key }] = (await Promise.race([once(child, 'message'), ended])) as [{ url: string; key: string }]
  return {
    url,
    key,
    async send(command) {
      child.send(command, () => {}) // `ended` reports that the process is gone.
      const [{ reply }] = (await Promise.race([once(child, 'message'), ended])) as [{ reply: Reply }]
      return reply
    }
  }
}
