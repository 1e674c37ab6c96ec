import type { DeliveryStore } from '../port.ts'
import type { Database } from './database.ts'
import { createDeliveryAdding } from './deliveries-add.ts'
import { createDeliveryDue } from './deliveries-due.ts'
import { createDeliveryReads } from './deliveries-read.ts'
import { createDeliveryRecording } from './deliveries-record.ts'
import { createDeliveryTaking } from './deliveries-take.ts'
import { reopenDeliveries } from './deliveries-reopen.ts'

/** Keeps deliveries. */
export function createDeliveries(db: Database): DeliveryStore {
  return {
    ...createDeliveryAdding(db),
    ...createDeliveryTaking(db),
    ...createDeliveryRecording(db),
    ...createDeliveryReads(db),
    ...createDeliveryDue(db),
    requeue: async (accountId, ids, at) => reopenDeliveries(db, accountId, { ids, at })
  }
}
