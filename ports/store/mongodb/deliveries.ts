import type { DeliveryStore } from '../port.ts'
import type { Database } from './database.ts'
import { createDeliveryAdding } from './deliveries-add.ts'
import { createDeliveryDue } from './deliveries-due.ts'
import { createDeliveryReads } from './deliveries-read.ts'
import { createDeliveryRecording } from './deliveries-record.ts'
import { reopenDeliveries } from './deliveries-reopen.ts'
import { createDeliveryTaking } from './deliveries-take.ts'

/** Keeps deliveries. */
export function createDeliveries(database: Database): DeliveryStore {
  return {
    ...createDeliveryAdding(database),
    ...createDeliveryTaking(database),
    ...createDeliveryRecording(database),
    ...createDeliveryReads(database),
    ...createDeliveryDue(database),
    requeue: (accountId, ids, at) => database.act(() => reopenDeliveries(database, accountId, { ids, at, by: null }))
  }
}
