import { type Browser as PlaywrightBrowser, chromium } from 'playwright'

const START_TIMEOUT_MS = 20_000

/** A running Chromium process. */
export interface LaunchedChromium {
  browser: PlaywrightBrowser
  /** Null if the browser does not report it. */
  pid: number | null
  /** Resolves when the browser process responds. */
  ping: () => Promise<void>
  /** Kills the process and its children. Returns at once. */
  killNow: () => void
  /** Like `killNow`. Resolves when the browser has exited. */
  kill: () => Promise<void>
}

export interface LaunchOptions {
  executablePath: string
  /** The egress proxy. */
  proxyUrl: string
  sandbox: boolean
}

/** Chromium starts without its sandbox, but not with it. */
export class SandboxError extends Error {
  override readonly name = 'SandboxError'
}

/**
 * Starts a Chromium that sends all traffic to the proxy, including that for localhost. Each browser
 * context has its own proxy credentials. Rejects with a SandboxError if the sandbox does not work,
 * as for root, and otherwise with the error of the browser.
 */
export async function launchChromium(options: LaunchOptions): Promise<LaunchedChromium> {
  const browser = await start(options).catch(async (error: unknown) => {
    if (!options.sandbox) throw error
    // Starts without a sandbox only to find out the reason.
    const withoutSandbox = await start({ ...options, sandbox: false }).catch(() => null)
    if (withoutSandbox === null) throw error
    await withoutSandbox.close()
    throw new SandboxError('Chromium cannot use its sandbox.', { cause: error })
  })
  const pid = await browserPidOf(browser)
  return {
    browser,
    pid,
    ping: async () => await ping(browser),
    killNow() {
      if (pid !== null) signalGroup(pid)
    },
    kill: async () => await kill(browser, pid)
  }
}

const start = async ({ executablePath, proxyUrl, sandbox }: LaunchOptions): Promise<PlaywrightBrowser> =>
  await chromium.launch({
    executablePath,
    headless: true,
    args: [...FLAGS],
    ignoreDefaultArgs: [...UNWANTED_FLAGS],
    proxy: { server: proxyUrl, bypass: '<-loopback>' },
    chromiumSandbox: sandbox,
    // This program handles the signals and ends its browser itself.
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
    timeout: START_TIMEOUT_MS
  })

async function ping(browser: PlaywrightBrowser): Promise<void> {
  const session = await browser.newBrowserCDPSession()
  await session.send('Browser.getVersion')
  await session.detach()
}

async function browserPidOf(browser: PlaywrightBrowser): Promise<number | null> {
  const session = await browser.newBrowserCDPSession()
  const { processInfo } = await session.send('SystemInfo.getProcessInfo').finally(() => session.detach())
  return processInfo.find(({ type }) => type === 'browser')?.id ?? null
}

async function kill(browser: PlaywrightBrowser, pid: number | null): Promise<void> {
  if (!browser.isConnected()) return
  const exited = new Promise<void>((resolve) => {
    browser.once('disconnected', () => resolve())
  })
  if (pid === null || !signalGroup(pid)) await browser.close()
  else await exited
}

/**
 * Kills the process group that Playwright creates for the browser; on Windows the children end with
 * the browser. Returns false if it no longer exists.
 */
function signalGroup(pid: number): boolean {
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL')
    return true
  } catch {
    return false
  }
}

/**
 * The browser resolves no names and sends no requests of its own. All traffic passes the proxy.
 */
const NETWORK_FLAGS = [
  // The proxy's address needs no name resolution. All other names and addresses fail to resolve.
  '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1',
  '--disable-quic',
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-default-apps',
  '--disable-domain-reliability',
  '--disable-client-side-phishing-detection',
  '--disable-sync',
  '--disable-translate',
  '--disable-extensions',
  '--disable-breakpad',
  '--no-first-run',
  '--no-pings'
]

/** The same page renders the same pixels on all machines with the same fonts. */
const RENDERING_FLAGS = [
  '--font-render-hinting=none',
  '--disable-lcd-text',
  '--force-color-profile=srgb',
  '--hide-scrollbars',
  '--mute-audio',
  '--disable-gpu',
  '--disable-dev-shm-usage'
]

/**
 * The flags of Chromium for untrusted pages. Those of @sparticuz/chromium would disable web security
 * and site isolation. `--disable-features` is left to Playwright: Chromium only reads the last one.
 */
export const FLAGS: readonly string[] = [...NETWORK_FLAGS, ...RENDERING_FLAGS]

/** Flags that Playwright adds for trusted pages. They would disable protections. */
export const UNWANTED_FLAGS: readonly string[] = ['--disable-popup-blocking', '--disable-ipc-flooding-protection']
