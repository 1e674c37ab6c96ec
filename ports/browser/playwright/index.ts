import { problem } from '../../../errors.ts'
import type { Browser, BrowserLog, PageInspection, SandboxState } from '../port.ts'
import { openPool, BrowserGoneError } from './pool/index.ts'
import type { Task } from './pool/run-task.ts'
import {
  type BrowserProcess,
  BrowserStartError,
  PageCrashedError,
  startBrowserProcess
} from './process/browser-process.ts'

export interface PlaywrightBrowserOptions {
  /** CHROMIUM_PATH. */
  chromiumPath?: string
  /** OUTBOUND_ALLOW. */
  allow: string
  /** BROWSER_SANDBOX. */
  sandbox: 'on' | 'off'
  /** Of each browser process with its Chromium. */
  maxMemoryBytes: number
  /** Inspections at a time, over all accounts, and browser processes. Default: 2. */
  maxParallel?: number | undefined
  /** The environment of the browser processes. */
  environment: Readonly<Record<string, string>>
  log?: BrowserLog
}

const ROOT_WITHOUT_SANDBOX =
  'Visual checks are unavailable: Chromium has no sandbox when the service runs as root. ' +
  'Run the service as another user, or set BROWSER_SANDBOX=off.'
const KERNEL_WITHOUT_SANDBOX =
  'Visual checks are unavailable: this system does not let Chromium create its sandbox. ' +
  'Allow unprivileged user namespaces (docs/visual-check.md), or set BROWSER_SANDBOX=off.'

/**
 * Opens the browser: a pool of processes that are started on demand. Each of them contains the
 * driver, the egress proxy and one Chromium for one account. Nothing that a page sends is read in
 * this process except bounded results.
 */
export function openPlaywrightBrowser({
  sandbox,
  maxMemoryBytes,
  maxParallel,
  environment,
  log,
  chromiumPath,
  allow
}: PlaywrightBrowserOptions): Browser {
  let state: SandboxState = null
  const rootProblem = sandbox === 'on' && process.platform === 'linux' && process.getuid?.() === 0
  if (rootProblem) state = 'unavailable'

  async function launch(): Promise<BrowserProcess> {
    assertAvailable()
    const options = { chromiumPath: chromiumPath ?? null, allow, sandbox: sandbox === 'on', environment }
    const started = await startBrowserProcess({ ...options, maxBytes: maxMemoryBytes })
    if (state !== sandbox) {
      const { chromium, memoryControl } = started
      log?.info({ chromium, sandbox, memoryControl, maxMemoryBytes }, 'browser started')
    }
    state = sandbox
    reportEnd(started)
    return started
  }

  function reportEnd(started: BrowserProcess): void {
    started.ended.then(
      (endCause) => {
        if (endCause === 'closed') return
        log?.warn({ endCause, output: started.stderr() }, 'a browser process was ended')
      },
      (error: unknown) => log?.warn({ err: error }, 'the files of a browser process could not be deleted')
    )
  }

  function assertAvailable(): void {
    if (state === 'unavailable') {
      throw problem('unavailable', rootProblem ? ROOT_WITHOUT_SANDBOX : KERNEL_WITHOUT_SANDBOX)
    }
  }

  /** The error for the caller if no browser starts. */
  function toStartProblem(error: BrowserStartError): Error {
    if (error.reason === 'sandbox') {
      state = 'unavailable'
      log?.warn({ err: error }, 'Chromium cannot use its sandbox')
      return problem('unavailable', KERNEL_WITHOUT_SANDBOX, { cause: error })
    }
    return problem('unavailable', 'No browser could be started.', {
      headers: { 'Retry-After': '10' },
      cause: error
    })
  }

  // A process that has grown to half of its limit is replaced between two tasks.
  const pool = openPool({ launch, maxParallel, maxBytes: maxMemoryBytes / 2 })

  return {
    async inspectPage({ accountId, signal, ...request }) {
      const task: Task<BrowserProcess, PageInspection> = async (browser) => {
        try {
          return await browser.inspect(request, signal)
        } catch (error) {
          if (error instanceof PageCrashedError) throw new BrowserGoneError('crashed', { endCause: error.reason })
          throw error
        }
      }
      try {
        return await pool.use(accountId, task, signal)
      } catch (error) {
        if (error instanceof BrowserStartError) throw toStartProblem(error)
        if (!(error instanceof BrowserGoneError) || error.reason === 'closed') throw error
        return {
          outcome: error.reason === 'stuck' ? 'timeout' : 'crashed',
          reason:
            error.reason === 'stuck'
              ? 'The page kept the browser busy until the end of the time limit.'
              : explainCrash(error.endCause, maxMemoryBytes),
          finalUrl: null,
          snapshots: [],
          screenshots: [],
          chromium: '',
          missingFonts: [],
          timings: {}
        }
      }
    },
    async assertAvailable() {
      assertAvailable()
    },
    async start({ accountId, signal }) {
      assertAvailable()
      try {
        await pool.use(accountId, async () => {}, signal)
      } catch (error) {
        if (error instanceof BrowserStartError) throw toStartProblem(error)
        throw error
      }
    },
    sandbox: () => state,
    async close() {
      await pool.close()
    }
  }
}

/** Why the browser of a page has ended. */
function explainCrash(endCause: string | null, maxMemoryBytes: number): string {
  if (endCause === 'memory') return `The page needs more than ${Math.round(maxMemoryBytes / 1e6)} MB of memory.`
  if (endCause === 'size' || endCause === 'protocol') return 'The page is too large to be measured.'
  if (endCause === 'threads') return 'The page runs too many threads at the same time.'
  if (endCause === 'unresponsive') return 'The page made the browser unresponsive.'
  return 'The page ended the browser.'
}
