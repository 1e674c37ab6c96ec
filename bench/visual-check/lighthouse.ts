import { launch } from 'chrome-launcher'
import lighthouse, { desktopConfig } from 'lighthouse'

export interface Lighthouse {
  /**
   * Milliseconds of an audit for a telephone and one for a desktop, one after the other. Throws
   * where one of them did not audit the page.
   */
  audit: (url: string) => Promise<number>
  close: () => void
}

/**
 * Lighthouse with its default settings, in a browser that is kept for all audits as the checker
 * keeps its own.
 */
export async function openLighthouse(executablePath: string): Promise<Lighthouse> {
  const chrome = await launch({
    chromePath: executablePath,
    chromeFlags: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'],
    handleSIGINT: true
  })

  async function run(url: string, config?: typeof desktopConfig): Promise<void> {
    const result = await lighthouse(url, { port: chrome.port, logLevel: 'silent' }, config)
    if (result === undefined || result.lhr.runtimeError !== undefined) {
      throw new Error(`Lighthouse did not audit ${url}: ${result?.lhr.runtimeError?.message ?? 'no result'}`)
    }
    const unscored = Object.values(result.lhr.categories).filter(({ score }) => score === null)
    if (unscored.length > 0) {
      throw new Error(`Lighthouse gave ${url} no score for ${unscored.map(({ title }) => title).join(', ')}`)
    }
  }

  return {
    async audit(url) {
      const start = performance.now()
      await run(url)
      await run(url, desktopConfig)
      return performance.now() - start
    },
    close: () => {
      chrome.kill()
    }
  }
}
