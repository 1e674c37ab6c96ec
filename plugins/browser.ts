import fp from 'fastify-plugin'
import { Gauge } from 'prom-client'
import { problem } from '../errors.ts'
import { openBrowser } from '../ports/browser/open.ts'
import type { Browser } from '../ports/browser/port.ts'
import { parseWorkers } from './config.ts'
import { readChildEnvironment } from './config/environment.ts'
import { listOwnPages } from './config/own-pages.ts'

declare module 'fastify' {
  interface FastifyInstance {
    browser: Browser
  }
}

/**
 * The browser of visual checks. The first check opens it, so that a process without a browser can do
 * everything else.
 */
export default fp(
  async (app) => {
    const { config } = app
    let opening: Promise<Browser> | null = null
    let opened: Browser | null = null
    let closed = false

    async function open(): Promise<Browser> {
      if (closed) throw new Error('The browser is closed.')
      opening ??= openBrowser({
        chromiumPath: config.CHROMIUM_PATH,
        allow: [config.OUTBOUND_ALLOW, ...listOwnPages(app)].filter((entry) => entry !== '').join(','),
        sandbox: config.BROWSER_SANDBOX,
        maxMemoryBytes: config.BROWSER_MEMORY_MB * 1_000_000,
        environment: readChildEnvironment(),
        log: app.log
      })
      opened = await opening
      return opened
    }

    const browser: Browser = {
      inspectPage: async (request) => await (await open()).inspectPage(request),
      async assertAvailable() {
        // Checks may run in other processes, of which this one knows nothing.
        if (runsVisualChecks(config)) await (await open()).assertAvailable()
      },
      async start(options) {
        if (!runsVisualChecks(config)) throw problem('unavailable', 'This process does not run visual checks.')
        await (await open()).start(options)
      },
      sandbox: () => opened?.sandbox() ?? null,
      async close() {
        closed = true
        await (await opening)?.close()
      }
    }
    app.decorate('browser', browser)
    app.addHook('onClose', () => app.browser.close())

    const sandbox = new Gauge({
      name: 'svc_browser_sandbox',
      help: '1 for the state of the sandbox of Chromium in this process',
      labelNames: ['state'],
      registers: [app.metrics.registry]
    })
    app.metrics.beforeScrape(async () => {
      sandbox.reset()
      sandbox.set({ state: browser.sandbox() ?? 'unknown' }, 1)
    })
  },
  { name: 'browser', dependencies: ['config', 'metrics'] }
)

const runsVisualChecks = ({ ROLE, WORKERS }: { ROLE: string; WORKERS: string }): boolean =>
  ROLE !== 'api' && (WORKERS === '' || parseWorkers(WORKERS).includes('run-visual-check'))
