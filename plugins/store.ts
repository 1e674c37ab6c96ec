import fp from 'fastify-plugin'
import { openStore } from '../ports/store/open.ts'
import type { Store } from '../ports/store/port.ts'
import { processLoad } from '../services/account-load.ts'
import { createPauses, scheduleStore } from '../services/scheduled-store.ts'
import { createStoreTurns } from '../services/store-turns.ts'

declare module 'fastify' {
  interface FastifyInstance {
    store: Store
  }
}

const READS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])

export default fp(
  async (app) => {
    const { MONGODB_URL: mongodbUrl, DATA_DIR: dataDir, STORE_TIMEOUT_MS: timeoutMs } = app.config
    const store = await openStore({ mongodbUrl, dataDir, timeoutMs })
    const schedule = mongodbUrl === undefined ? createPauses(processLoad) : createStoreTurns({ load: processLoad })
    app.decorate('store', scheduleStore(store, processLoad, schedule))
    app.addHook('onClose', () => store.close())
    // A request may change nothing because another one made the same change, which is not durable yet.
    app.addHook('onSend', async ({ method }, { statusCode }) => {
      if (!READS.has(method) && statusCode < 500) await store.durable()
    })
  },
  { name: 'store', dependencies: ['config'] }
)
