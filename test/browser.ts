import chromium from '@sparticuz/chromium'
import { chromium as playwright, type Browser } from 'playwright'
import type { Test } from 'tap'

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
