import chromium from '@sparticuz/chromium'
import { chromium as playwright, type Browser } from 'playwright'
import type { Test } from 'tap'

/** The options of the service's own browser in tests, which also run as root and in containers. */
export const BROWSER_OPTIONS = {
  sandbox: 'off',
  maxMemoryBytes: 1_500_000_000,
  environment: { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '' }
} as const

/** A real browser, closed at the end of the test. */
export async function openBrowser(t: Test): Promise<Browser> {
  const browser = await playwright.launch({
    executablePath: await chromium.executablePath(),
    args: ['--no-sandbox'],
    headless: true
  })
  t.teardown(() => browser.close())
  return browser
}
