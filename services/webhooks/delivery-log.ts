import { problem } from '../../errors.ts'
import type { Store } from '../../ports/store/port.ts'
import type { EventType } from '../../schemas/event.ts'
import type { Page } from '../../schemas/page.ts'
import type { Delivery, DeliveryDetail, DeliveryStatus } from '../../schemas/webhook.ts'
import type { DeliveryJobs } from './delivery-jobs.ts'
import { findEnabledWebhook, findWebhook } from './find-webhook.ts'
import { toDeliveryResponse } from './shown.ts'

export interface DeliveryQuery {
  status?: DeliveryStatus
  event?: EventType /** The event happened then or later. */
  since?: string
}
export interface DeliveryPage {
  deliveries: Delivery[]
  totalCount: number
  page: number
  totalPages: number
}

/** What was sent to whom, and sending it again. */
export function createDeliveryLog({ store, jobs }: { store: Store; jobs: DeliveryJobs }) {
  async function known(accountId: string, id: string) {
    const found = await store.deliveries.find(accountId, id)
    if (found === null) throw problem('delivery_not_found', `There is no delivery ${id} in this account.`)
    return found
  }

  return {
    /** The newest first. */
    async listDeliveries(
      accountId: string,
      webhookId: string,
      { page, pageSize, ...filter }: DeliveryQuery & Page
    ): Promise<DeliveryPage> {
      await findWebhook(store, accountId, webhookId)
      const since = filter.since === undefined ? {} : { since: new Date(filter.since).toISOString() }
      const { deliveries, totalCount } = await store.deliveries.list(
        { accountId, webhookId, ...filter, ...since },
        { page, pageSize }
      )
      return {
        deliveries: deliveries.map(toDeliveryResponse),
        totalCount,
        page,
        totalPages: Math.ceil(totalCount / pageSize)
      }
    },

    /** With its attempts, and its body byte by byte. Throws `delivery_not_found`. */
    async readDelivery(accountId: string, id: string): Promise<DeliveryDetail> {
      const { delivery, attemptLog, head, tail } = await known(accountId, id)
      return { ...toDeliveryResponse(delivery), attemptLog, body: `${head}${delivery.sequence}${tail}` }
    },

    /**
     * Sends it again, whatever became of it, with the same bytes and a new round of attempts.
     * Throws `delivery_not_found` and `webhook_disabled`.
     */
    async redeliver(accountId: string, id: string): Promise<Delivery> {
      const {
        delivery: { webhookId }
      } = await known(accountId, id)
      await findEnabledWebhook(store, accountId, webhookId)
      await store.deliveries.requeue(accountId, [id], new Date().toISOString())
      await jobs.now({ accountId, webhookId })
      return toDeliveryResponse((await known(accountId, id)).delivery)
    }
  }
}
