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

export default fp(
  async (app) => {
    const { MONGODB_URL: mongodbUrl, DATA_DIR: dataDir, STORE_TIMEOUT_MS: timeoutMs } = app.config
    const store = await openStore({ mongodbUrl, dataDir, timeoutMs })
    const schedule = mongodbUrl === undefined ? createPauses(processLoad) : createStoreTurns({ load: processLoad })
    app.decorate('store', scheduleStore(store, processLoad, schedule))
    app.addHook('onClose', () => store.close())
  },
  { name: 'store', dependencies: ['config'] }
)
