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
  /** Bytes that the process gave to the disk since its start. Null where the system does not count them. */
  writtenBytes?: number | null
  /** Commands that the process sent to MongoDB since its start. Null without MongoDB. */
  commands?: number | null
  /** The address, which changes with `fill`. */
  url?: string
  /** The parts of `fill`, in their order. */
  phases?: FillPhase[]
}

/** What one part of filling the store took. */
export interface FillPhase {
  name: string
  /** Posts or products that were added. */
  count: number
  seconds: number
  cpuMs: number
  writtenBytes: number | null
  commands: number | null
  /** By how much the data folder grew. Null over MongoDB. */
  storedBytes: number | null
}

/** Null if one of the numbers is unknown. */
export const differenceOf = (after: number | null | undefined, before: number | null | undefined): number | null =>
  after == null || before == null ? null : after - before

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
  const [started] = (await Promise.race([once(child, 'message'), ended])) as [{ url: string; key: string }]
  const service: GrowthService = {
    ...started,
    async send(command) {
      child.send(command, () => {}) // `ended` reports that the process is gone.
      const [{ reply }] = (await Promise.race([once(child, 'message'), ended])) as [{ reply: Reply }]
      service.url = reply.url ?? service.url
      return reply
    }
  }
  return service
}
