import { fork } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import type { BenchPage } from './page.ts'

export interface Site {
  pages: BenchPage[]
  /** Of the process that serves them. */
  pid: number
  close: () => void
}

/**
 * Serves the pages of the corpus, or our own where there is none, from a process of its own. Throws
 * where that process ends instead.
 */
export async function openSite(corpus: string | undefined): Promise<Site> {
  const child = fork(path.join(import.meta.dirname, 'serve.ts'), corpus === undefined ? [] : [corpus], {
    env: { ...process.env, LOG_LEVEL: 'error' },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc']
  })
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`The site ended with ${String(code)} before it served anything.`)
  })
  const [pages] = await Promise.race([once(child, 'message') as Promise<[BenchPage[]]>, ended])
  ended.catch(() => {}) // What is ended after this is ended by us.
  return {
    pages,
    pid: child.pid!,
    close: () => {
      child.kill()
    }
  }
}
