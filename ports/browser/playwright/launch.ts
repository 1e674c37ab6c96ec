import { type Browser as PlaywrightBrowser, chromium } from 'playwright'
import { FLAGS, UNWANTED_FLAGS } from './flags.ts'

const START_MS = 20_000

/** A process of Chromium. */
export interface LaunchedChromium {
  browser: PlaywrightBrowser
  /** Null where the browser does not tell. */
  pid: number | null
  sandboxed: boolean
  /**
   * Ends the process and its children at once, whatever they do; resolves when the browser is gone.
   */
  kill: () => Promise<void>
}

export interface LaunchOptions {
  executablePath: string /** The way out. */
  proxyUrl: string
}

/**
 * Starts a Chromium that resolves nothing by itself and knows one way out, the proxy, for localhost
 * too; each context names its credentials there. Its sandbox is on
 * unless the kernel or being root forbids one: then it is started without, and `sandboxed` says so.
 * Rejects with the browser's own words where it does not start.
 */
export async function launchChromium({ executablePath, proxyUrl }: LaunchOptions): Promise<LaunchedChromium> {
  const start = (chromiumSandbox: boolean) =>
    chromium.launch({
      executablePath,
      headless: true,
      args: [...FLAGS],
      ignoreDefaultArgs: [...UNWANTED_FLAGS],
      proxy: { server: proxyUrl, bypass: '<-loopback>' },
      chromiumSandbox,
      // The program ends in its own order, and ends its browsers in it.
      handleSIGINT: false,
      handleSIGTERM: false,
      handleSIGHUP: false,
      timeout: START_MS
    })
  // Chromium refuses a sandbox to root.
  const withSandbox = process.getuid?.() === 0 ? null : await start(true).catch(() => null)
  const browser = withSandbox ?? (await start(false))
  const pid = await processOf(browser)
  return { browser, pid, sandboxed: withSandbox !== null, kill: () => kill(browser, pid) }
}

async function processOf(browser: PlaywrightBrowser): Promise<number | null> {
  const session = await browser.newBrowserCDPSession()
  const { processInfo } = await session.send('SystemInfo.getProcessInfo').finally(() => session.detach())
  return processInfo.find(({ type }) => type === 'browser')?.id ?? null
}

async function kill(browser: PlaywrightBrowser, pid: number | null): Promise<void> {
  if (!browser.isConnected()) return
  const gone = new Promise<void>((resolve) => {
    browser.once('disconnected', () => resolve())
  })
  if (pid === null || !signalGroup(pid)) await browser.close()
  else await gone
}

/**
 * Playwright makes a group of the browser and its children, but on Windows, where they end with it.
 * False where there is none any more.
 */
function signalGroup(pid: number): boolean {
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL')
    return true
  } catch {
    return false
  }
}
