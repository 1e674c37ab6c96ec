import t from 'tap'
import { COMPLETIONS, sendJson, startModelServer, type ProtocolName } from '../fixtures/language-model.ts'
import { addProducts } from '../services/optimizer/fixtures.ts'
import { oakTable } from '../services/optimizer/provider/language-model.ts'
import { openTestStore, temporaryFolder } from '../helper.ts'
import { startServer } from '../processes.ts'
import { small } from '../profile.ts'

const PRODUCTS = small ? 60 : 400
const KILLS = small ? 1 : 10
/** The products of one batch: their results are lost if the process is killed. */
const MAX_LOST = 8
const PROJECT = { accountId: 'acme', projectId: 'shop' }

const PROTOCOLS: ProtocolName[] = ['openai', 'anthropic']

for (const protocol of PROTOCOLS) {
  t.test(`${protocol}: after kills, saved products are not requested again`, { timeout: 240_000 }, async (t) => {
    let onRequest = () => {}
    const model = await startModelServer(protocol, (response, { product }) => {
      onRequest()
      setTimeout(() => {
        sendJson(response, COMPLETIONS[protocol]({ meta_title: `${String(product.title)} of solid oak` }))
      }, 20)
    })
    t.teardown(model.close)
    const data = temporaryFolder(t)
    const store = await openTestStore(data)
    const products = Array.from({ length: PRODUCTS }, (_, i) => oakTable(`p${i}`, { title: `Oak Table ${i}` }))
    await addProducts(store, products)
    await store.close()
    const start = async () =>
      await startServer(t, data, {
        OPTIMIZER_PROTOCOL: protocol,
        OPTIMIZER_URL: model.url,
        OPTIMIZER_API_KEY: 'sk-test',
        OPTIMIZER_MODEL: 'small',
        OPTIMIZER_CALLS_PER_HOUR: '100000',
        SWEEP_INTERVAL_SECONDS: '1'
      })
    const requested = async (count: number) => {
      await new Promise<void>((resolve) => {
        onRequest = () => {
          if (model.requests.length >= count) resolve()
        }
        onRequest()
      })
    }

    for (let kill = 1; kill <= KILLS; kill++) {
      const server = await start()
      await requested(Math.floor((PRODUCTS * kill) / (KILLS + 1)))
      await server.end('SIGKILL')
    }
    const server = await start()
    const titles = () => new Set(model.requests.map(({ product }) => product.title))
    await new Promise<void>((resolve) => {
      onRequest = () => {
        if (titles().size === PRODUCTS) resolve()
      }
      onRequest()
    })
    await server.end('SIGTERM')

    const last = await openTestStore(data)
    const reader = { accountId: PROJECT.accountId, projectIds: null }
    const { products: stored } = await last.products.list(reader, { page: 1, pageSize: PRODUCTS })
    await last.close()
    t.ok(stored.filter(({ seo }) => seo.metaTitle?.source === 'llm').length >= PRODUCTS - MAX_LOST)
    const repeated = model.requests.length - PRODUCTS
    t.ok(repeated <= KILLS * MAX_LOST, `${repeated} calls were repeated after ${KILLS} kills`)
    t.comment(`${model.requests.length} calls for ${PRODUCTS} products, ${repeated} repeated after ${KILLS} kills`)
  })
}
