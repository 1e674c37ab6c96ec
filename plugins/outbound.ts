import fp from 'fastify-plugin'
import { openOutbound } from '../ports/outbound/open.ts'
import type { Outbound } from '../ports/outbound/port.ts'
import { listOwnPages } from './config/own-pages.ts'

declare module 'fastify' {
  interface FastifyInstance {
    outbound: Outbound
  }
}

/**
 * The client for all outbound requests. The host of OPTIMIZER_URL and the public pages of this service
 * are allowed without an entry in OUTBOUND_ALLOW.
 */
export default fp(
  async (app) => {
    const { OUTBOUND_ALLOW, OPTIMIZER_URL } = app.config
    const optimizer = OPTIMIZER_URL === undefined ? [] : [hostAndPort(OPTIMIZER_URL)]
    const outbound = await openOutbound({
      allow: [OUTBOUND_ALLOW, ...optimizer].filter((entry) => entry !== '').join(','),
      // The port may be unknown until the server listens.
      allowsUrl: ({ href }) => listOwnPages(app).some((prefix) => href.startsWith(prefix))
    })
    app.decorate('outbound', outbound)
    app.addHook('onClose', async () => {
      await outbound.close()
    })
  },
  { name: 'outbound', dependencies: ['config'] }
)

function hostAndPort(url: string): string {
  const { hostname, port, protocol } = new URL(url)
  return `${hostname}:${port === '' ? (protocol === 'https:' ? 443 : 80) : port}`
}
