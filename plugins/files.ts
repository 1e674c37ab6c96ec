import fp from 'fastify-plugin'
import { openFiles } from '../ports/files/open.ts'
import type { Files } from '../ports/files/port.ts'
import type { Store } from '../ports/store/port.ts'
import { assertNoPendingImport } from '../services/transfer/index.ts'

declare module 'fastify' {
  interface FastifyInstance {
    files: Files
  }
}

/** Depends on the store, whose lock on the data folder also protects the files. */
export default fp(
  async (app) => {
    const { MONGODB_URL: mongodbUrl, DATA_DIR: dataDir, STORE_TIMEOUT_MS: timeoutMs, IMAGE_CACHE_MB } = app.config
    const cacheBytes = app.config.ROLE === 'worker' ? 0 : IMAGE_CACHE_MB * 1024 * 1024
    const files = await openFiles({ mongodbUrl, dataDir, timeoutMs, cacheBytes })
    app.decorate('files', removeWhenDurable(files, app.store))
    app.addHook('onClose', () => files.close())
    await assertNoPendingImport(files)
  },
  { name: 'files', dependencies: ['config', 'store'] }
)

/** Files are removed when the store no longer refers to them. A crash must not bring back a record without its file. */
function removeWhenDurable(files: Files, store: Store): Files {
  return {
    ...files,
    async remove(key) {
      await store.durable()
      await files.remove(key)
    },
    async removeAll(prefix) {
      await store.durable()
      await files.removeAll(prefix)
    }
  }
}
