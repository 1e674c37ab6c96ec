import { fork } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import type { BenchPage } from './helpers.ts'

export interface Site {
  pages: BenchPage[]
  /** The process that serves the pages. */
  pid: number
  close: () => void
}

/**
 * Serves the pages of the corpus, or the demo's pages, from a child process. Throws if that process
 * exits.
 */
export async function openSite(corpus: string | undefined): Promise<Site> {
  const child = fork(path.join(import.meta.dirname, 'serve.ts'), corpus === undefined ? [] : [corpus], {
    env: { ...process.env, LOG_LEVEL: 'error' },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc']
  })
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`The site's process exited with code ${String(code)}`)
  })
  const [pages] = await Promise.race([once(child, 'message') as Promise<[BenchPage[]]>, ended])
  ended.catch(() => {}) // From here on, only `close` ends the process.
  return {
    pages,
    pid: child.pid!,
    close: () => {
      child.kill()
    }
  }
}
