import fp from 'fastify-plugin'
import { openBrowser } from '../ports/browser/open.ts'
import type { Browser } from '../ports/browser/port.ts'

declare module 'fastify' {
  interface FastifyInstance {
    browser: Browser
  }
}

/**
 * The browser of visual checks. It is opened by the first check that is worked here, so that a
 * process without one starts, and does all else.
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
        // The next check may find one.
        opened = null
        throw error
      }
    }

    app.decorate('browser', {
      inspectPage: async (look) => await (await open()).inspectPage(look),
      async close() {
        closed = true
        // One that could not be opened needs no closing; whoever asked for it has heard why.
        const browser = await opened?.catch(() => null)
        await browser?.close()
      }
    } satisfies Browser)
    app.addHook('onClose', () => app.browser.close())
  },
  { name: 'browser', dependencies: ['config'] }
)
