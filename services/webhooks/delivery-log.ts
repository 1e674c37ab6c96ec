import { problem } from '../../errors.ts'
import type { DeliveryRecord, Store } from '../../ports/store/port.ts'
import type { EventType } from '../../schemas/event.ts'
import type { Page } from '../../schemas/page.ts'
import { toUtc } from '../../schemas/formats.ts'
import type { Delivery, DeliveryDetail, DeliveryStatus } from '../../schemas/webhook.ts'
import { findEnabledWebhook, findWebhook } from './endpoints.ts'
import type { DeliveryJobs } from './jobs.ts'

export interface DeliveryQuery {
  status?: DeliveryStatus
  event?: EventType
  /** Events at this time or later. */
  since?: string
}
export interface DeliveryPage {
  deliveries: Delivery[]
  totalCount: number
  page: number
  totalPages: number
}

/** The log of deliveries, and redelivery. */
export function createDeliveryLog({ store, jobs }: { store: Store; jobs: DeliveryJobs }) {
  async function find(accountId: string, id: string) {
    const found = await store.deliveries.find(accountId, id)
    if (found === null) throw problem('delivery_not_found', `There is no delivery ${id} in this account.`)
    return found
  }

  return {
    /** Newest first. Throws `webhook_not_found`. */
    async listDeliveries(
      accountId: string,
      webhookId: string,
      { page, pageSize, ...filter }: DeliveryQuery & Page
    ): Promise<DeliveryPage> {
      await findWebhook(store, accountId, webhookId)
      const since = filter.since === undefined ? {} : { since: toUtc(filter.since) }
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

    /** A delivery with its attempts and its exact body. Throws `delivery_not_found`. */
    async readDelivery(accountId: string, id: string): Promise<DeliveryDetail> {
      const { delivery, attemptLog, head, tail } = await find(accountId, id)
      return { ...toDeliveryResponse(delivery), attemptLog, body: `${head}${delivery.sequence}${tail}` }
    },

    /**
     * Sends a delivery of any status again: the same bytes, a new round of attempts. Throws
     * `delivery_not_found` and `webhook_disabled`.
     */
    async redeliver(accountId: string, id: string): Promise<Delivery> {
      const {
        delivery: { webhookId }
      } = await find(accountId, id)
      await findEnabledWebhook(store, accountId, webhookId)
      await store.deliveries.requeue(accountId, [id], new Date().toISOString())
      await jobs.enqueue({ accountId, webhookId })
      return toDeliveryResponse((await find(accountId, id)).delivery)
    }
  }
}

/** A delivery as the API returns it. */
function toDeliveryResponse({
  accountId: _account,
  eventAt: _at,
  round: _round,
  leasedUntil: _lease,
  ...delivery
}: DeliveryRecord): Delivery {
  return delivery
}
