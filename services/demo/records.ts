import { Readable } from 'node:stream'
import type { Store } from '../../ports/store/port.ts'
import { DEMO } from '../../schemas/examples/demo.ts'
import type { ApiKeys } from '../api-keys/index.ts'
import type { Operation } from '../ids.ts'
import type { Imports } from '../imports/index.ts'
import type { Webhooks } from '../webhooks/index.ts'

const { accountId, projectId, webhookId } = DEMO

interface Dependencies {
  store: Store
  apiKeys: ApiKeys
  imports: Imports
  webhooks: Webhooks
}

const operationOf = (id: string): Operation => ({ id, isRetry: false })

/** Creates the records that the sample requests of the API document read, with their fixed ids. */
export function createDemoRecords({ store, apiKeys, imports, webhooks }: Dependencies) {
  /** Delivers the first event, which is older than the webhook, and recovers what failed until now: nothing. */
  async function addDelivery(): Promise<void> {
    const [event] = await store.events.list(accountId, { after: 0, limit: 1 })
    if (event === undefined) throw new Error('The demo content has no event.')
    const { deliveryId: id, recoveryId } = DEMO
    await store.deliveries.add([
      {
        id,
        accountId,
        webhookId,
        eventId: event.id,
        event: event.type,
        eventAt: event.timestamp,
        status: 'skipped',
        createdAt: new Date().toISOString(),
        nextAttemptAt: null
      }
    ])
    await webhooks.redeliver(accountId, id)
    await webhooks.startRecovery(accountId, webhookId, {
      since: event.timestamp,
      status: ['failed'],
      operation: operationOf(recoveryId)
    })
  }

  return {
    addDelivery,

    /** Adds an API key, and imports a product file with an invalid row. */
    async addImport(priceList: Buffer): Promise<void> {
      await apiKeys.create(accountId, { name: 'Website build' }, operationOf(DEMO.apiKeyId))
      await imports.receive(
        { accountId, projectIds: null },
        { projectId, format: 'csv', mapping: null, body: Readable.from([priceList]) },
        operationOf(DEMO.importId)
      )
    }
  }
}
