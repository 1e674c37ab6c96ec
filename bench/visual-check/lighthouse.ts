import { launch } from 'chrome-launcher'
import lighthouse, { desktopConfig } from 'lighthouse'

export interface Lighthouse {
  /**
   * Audits a page for mobile, then for desktop. Returns the milliseconds. Throws if an audit
   * failed.
   */
  audit: (url: string) => Promise<number>
  close: () => void
}

/** Lighthouse with its default settings. Like the checker, it reuses one browser. */
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
      throw new Error(`Lighthouse has no score of ${url} for ${unscored.map(({ title }) => title).join(', ')}`)
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
