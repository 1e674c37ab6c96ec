/** What the pool needs of a browser process. */
export interface PooledProcess {
  isRunning: () => boolean
  /** Why it has ended. */
  ended: Promise<string>
  /** Resolves when the process responds. Does not settle after its end. */
  ping: () => Promise<void>
  /** Memory of the process and its descendants. 0 if unknown. */
  memoryBytes: () => Promise<number>
  /** Whether its priority was lowered because of what a task did. */
  isSlowed: () => boolean
  /** Ends the process at once. Resolves when it has exited. `cause`: default `closed`. */
  kill: (cause?: 'closed' | 'unresponsive') => Promise<void>
}

/** When a browser process is replaced. */
export interface RecyclePolicy {
  /** The maximum of tasks in one process. */
  maxTasks: number
  maxAgeMs: number
  /** Memory of the process and its descendants after a task. */
  maxBytes: number
  /** How long an idle process is kept. */
  idleMs: number
  /** How long the process may take to respond. */
  responseTimeoutMs: number
}

/** A browser process of one account, from before its start until after its end. */
export interface BrowserInstance<Process extends PooledProcess> {
  account: string
  /** Rejects if the process does not start. */
  ready: Promise<Process>
  /** The number of running tasks. */
  running: () => number
  /** Whether it accepts no more tasks. */
  isExhausted: () => boolean
  beginTask: () => void
  /** Ends the process if it is exhausted and no other task runs in it. */
  finishTask: () => Promise<void>
  /** Ends the process at once. Resolves when it has exited. */
  end: (cause?: 'closed' | 'unresponsive') => Promise<void>
}

export interface InstanceOptions<Process extends PooledProcess> extends RecyclePolicy {
  /** Whether the process serves a single task. */
  isExclusive: boolean
  launch: () => Promise<Process>
  /** Called once, when the process has ended or is about to end, and accepts no more tasks. */
  onEnd: (instance: BrowserInstance<Process>) => void
}

/** Starts a browser process for an account. */
export function launchInstance<Process extends PooledProcess>(
  account: string,
  options: InstanceOptions<Process>
): BrowserInstance<Process> {
  const startedMs = performance.now()
  const maxTasks = options.isExclusive ? 1 : options.maxTasks
  const ready = options.launch()
  let tasks = 0
  let running = 0
  let isWorn = false
  let ended: Promise<void> | null = null
  let idleTimer: NodeJS.Timeout | undefined
  let healthTimer: NodeJS.Timeout | undefined

  const isExhausted = () =>
    isWorn || ended !== null || tasks >= maxTasks || performance.now() - startedMs >= options.maxAgeMs
  const end = (cause: 'closed' | 'unresponsive' = 'closed'): Promise<void> => {
    if (ended !== null) return ended
    clearTimeout(idleTimer)
    clearInterval(healthTimer)
    ended = ready.then(
      (browser) => browser.kill(cause),
      () => {} // It never started.
    )
    options.onEnd(instance)
    return ended
  }

  const endNow = (): void => {
    end().catch(() => {}) // `onEnd` reports the end to the pool, which waits for it.
  }

  const instance: BrowserInstance<Process> = {
    account,
    ready,
    running: () => running,
    isExhausted,
    beginTask() {
      clearTimeout(idleTimer)
      tasks++
      running++
    },
    async finishTask() {
      running--
      if (ended !== null) return
      const browser = await ready.catch(() => null)
      if (browser === null) return
      if (browser.isSlowed() || (await browser.memoryBytes()) > options.maxBytes) isWorn = true
      if (running > 0) return
      if (isExhausted()) return end()
      clearTimeout(idleTimer)
      idleTimer = setTimeout(endNow, options.idleMs).unref()
    },
    end
  }
  ready.then((browser) => {
    browser.ended.then(endNow, endNow)
    healthTimer = setInterval(async () => {
      if (running === 0 || ended !== null || (await respondsWithin(browser, options.responseTimeoutMs))) return
      // Its tasks notice the end.
      await end('unresponsive').catch(() => {})
    }, options.responseTimeoutMs / 2).unref()
  }, endNow)
  return instance
}

async function respondsWithin(browser: PooledProcess, ms: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const timer = setTimeout(() => resolve(false), ms)
  browser.ping().then(
    () => resolve(true),
    () => resolve(false)
  )
  return await promise.finally(() => clearTimeout(timer))
}
