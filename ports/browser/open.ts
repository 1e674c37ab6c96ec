import type { Browser } from './port.ts'

/**
 * Opens the browser that inspects pages. `chromiumPath` is CHROMIUM_PATH, `allow` is
 * OUTBOUND_ALLOW. Throws a StartError if one of them is invalid.
 */
export async function openBrowser(options: { chromiumPath?: string; allow: string }): Promise<Browser> {
  const { openPlaywrightBrowser } = await import('./playwright/index.ts')
  return await openPlaywrightBrowser(options)
}
