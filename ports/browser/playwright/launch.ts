import { type Browser as PlaywrightBrowser, chromium } from 'playwright'

const START_TIMEOUT_MS = 20_000

/** A running Chromium process. */
export interface LaunchedChromium {
  browser: PlaywrightBrowser
  /** Null if the browser does not report it. */
  pid: number | null
  sandboxed: boolean
  /** Kills the process and its children. Resolves when the browser has exited. */
  kill: () => Promise<void>
}

export interface LaunchOptions {
  executablePath: string
  /** The egress proxy. */
  proxyUrl: string
}

/**
 * Starts a Chromium that sends all traffic to the proxy, including that for localhost. Each browser
 * context has its own proxy credentials. The sandbox is enabled, unless the kernel forbids it or
 * this process runs as root; see `sandboxed`. Rejects with the error of the browser if it does not
 * start.
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
      // This program handles the signals and ends its browsers itself.
      handleSIGINT: false,
      handleSIGTERM: false,
      handleSIGHUP: false,
      timeout: START_TIMEOUT_MS
    })
  // Chromium does not start with a sandbox as root.
  const withSandbox = process.getuid?.() === 0 ? null : await start(true).catch(() => null)
  const browser = withSandbox ?? (await start(false))
  const pid = await browserPidOf(browser)
  return { browser, pid, sandboxed: withSandbox !== null, kill: () => kill(browser, pid) }
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
