import { readdir, readFile } from 'node:fs/promises'
import type { LaunchedChromium } from '../launch.ts'

/** When a browser process is replaced. */
export interface RecyclePolicy {
  /** The maximum of tasks in one process. */
  maxTasks: number
  maxAgeMs: number
  /** Memory of the process and its descendants. At twice as much it is ended at once. */
  maxBytes: number
  /** How long an idle process is kept. */
  idleMs: number
  /** How long the process may take to report its version. */
  responseTimeoutMs: number
}

/** A browser process of one account, from before its start until after its end. */
export interface BrowserInstance {
  account: string
  /** Rejects if the process does not start. */
  ready: Promise<LaunchedChromium>
  /** The number of running tasks. */
  running: () => number
  /** Whether it accepts no more tasks. */
  isExhausted: () => boolean
  beginTask: () => void
  /** Ends the process if it is exhausted and no other task runs in it. */
  finishTask: () => Promise<void>
  /** Ends the process at once. Resolves when it has exited. */
  end: () => Promise<void>
}

/**
 * Starts a browser process for an account. `onEnd` is called once, when the process has ended or is
 * about to end, and accepts no more tasks.
 */
export function launchInstance(
  account: string,
  options: RecyclePolicy & { launch: () => Promise<LaunchedChromium>; onEnd: (instance: BrowserInstance) => void }
): BrowserInstance {
  const startedMs = performance.now()
  const ready = options.launch()
  let tasks = 0
  let running = 0
  let isOverMemory = false
  let ended: Promise<void> | null = null
  let idleTimer: NodeJS.Timeout | undefined
  let healthTimer: NodeJS.Timeout | undefined

  const isExhausted = () =>
    isOverMemory || ended !== null || tasks >= options.maxTasks || performance.now() - startedMs >= options.maxAgeMs
  const end = (): Promise<void> => {
    if (ended !== null) return ended
    clearTimeout(idleTimer)
    clearInterval(healthTimer)
    ended = ready.then(
      ({ kill }) => kill(),
      () => {} // It never started.
    )
    options.onEnd(instance)
    return ended
  }

  /** Ends a process that does not respond or uses far too much memory. Its tasks notice the end. */
  async function checkHealth(chromium: LaunchedChromium): Promise<void> {
    const [isResponding, bytes] = await Promise.all([
      respondsWithin(chromium, options.responseTimeoutMs),
      memoryUsage(chromium)
    ])
    if (bytes > options.maxBytes) isOverMemory = true
    if (!isResponding || bytes > 2 * options.maxBytes) await end()
  }

  const instance: BrowserInstance = {
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
      const chromium = await ready.catch(() => null)
      if (chromium === null) return
      if ((await memoryUsage(chromium)) > options.maxBytes) isOverMemory = true
      if (running > 0) return
      if (isExhausted()) return end()
      clearTimeout(idleTimer)
      idleTimer = setTimeout(end, options.idleMs).unref()
    },
    end
  }
  ready.then((chromium) => {
    chromium.browser.once('disconnected', end)
    if (!chromium.browser.isConnected()) return end()
    healthTimer = setInterval(() => {
      if (running > 0 && ended === null) checkHealth(chromium).catch(end)
    }, options.responseTimeoutMs / 2).unref()
  }, end)
  return instance
}

/** 0 if unknown. */
async function memoryUsage({ pid }: LaunchedChromium): Promise<number> {
  return pid === null ? 0 : ((await residentBytes(pid)) ?? 0)
}

async function respondsWithin({ browser }: LaunchedChromium, ms: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const timer = setTimeout(() => resolve(false), ms)
  const ask = async () => {
    const session = await browser.newBrowserCDPSession()
    await session.send('Browser.getVersion')
    await session.detach()
  }
  ask().then(
    () => resolve(true),
    () => resolve(browser.isConnected())
  )
  return await promise.finally(() => clearTimeout(timer))
}

/**
 * The resident memory of a process and its descendants in bytes. Shared pages count for each
 * process. Null on systems without /proc.
 */
export async function residentBytes(pid: number): Promise<number | null> {
  const names = await readdir('/proc').catch(() => null)
  if (names === null) return null
  // A process may end between the two reads.
  const texts = await Promise.all(
    names.filter((name) => /^\d+$/.test(name)).map((name) => readFile(`/proc/${name}/status`, 'latin1').catch(() => ''))
  )
  const processes = texts.map((text) => ({
    pid: statusField(text, 'Pid'),
    parent: statusField(text, 'PPid'),
    bytes: statusField(text, 'VmRSS') * 1024
  }))
  const tree = new Set([pid])
  for (let before = 0; before < tree.size; ) {
    before = tree.size
    for (const one of processes) if (tree.has(one.parent)) tree.add(one.pid)
  }
  return processes.reduce((sum, one) => (tree.has(one.pid) ? sum + one.bytes : sum), 0)
}

/** 0 if missing: a process that has ended uses no memory. */
function statusField(text: string, name: string): number {
  return Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(text)?.[1] ?? 0)
}
