import type { Browser } from './port.ts'
import type { PlaywrightBrowserOptions } from './playwright/index.ts'

/** Opens the browser that inspects pages. Its processes are started by the first inspection. */
export async function openBrowser(options: PlaywrightBrowserOptions): Promise<Browser> {
  const { openPlaywrightBrowser } = await import('./playwright/index.ts')
  return openPlaywrightBrowser(options)
}
