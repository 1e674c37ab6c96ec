import fp from 'fastify-plugin'
import { openBrowser } from '../ports/browser/open.ts'
import type { Browser } from '../ports/browser/port.ts'

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
    const { CHROMIUM_PATH: chromiumPath, OUTBOUND_ALLOW: allow } = app.config
    let opened: Promise<Browser> | null = null
    let closed = false

    async function open(): Promise<Browser> {
      if (closed) throw new Error('The browser is closed.')
      opened ??= openBrowser({ chromiumPath, allow })
      try {
        return await opened
      } catch (error) {
        // The next check tries again.
        opened = null
        throw error
      }
    }

    app.decorate('browser', {
      inspectPage: async (request) => await (await open()).inspectPage(request),
      async close() {
        closed = true
        // If it failed to open, the caller of `open` has received the error.
        const browser = await opened?.catch(() => null)
        await browser?.close()
      }
    } satisfies Browser)
    app.addHook('onClose', () => app.browser.close())
  },
  { name: 'browser', dependencies: ['config'] }
)
