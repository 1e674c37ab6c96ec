import fp from 'fastify-plugin'
import { openStore } from '../ports/store/open.ts'
import type { Store } from '../ports/store/port.ts'

declare module 'fastify' {
  interface FastifyInstance {
    store: Store
  }
}

export default fp(
  async (app) => {
    const { MONGODB_URL: mongodbUrl, DATA_DIR: dataDir, STORE_TIMEOUT_MS: timeoutMs } = app.config
    const store = await openStore({ mongodbUrl, dataDir, timeoutMs })
    app.decorate('store', store)
    app.addHook('onClose', () => store.close())
  },
  { name: 'store', dependencies: ['config'] }
)
