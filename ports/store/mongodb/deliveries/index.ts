import type { DeliveryStore } from '../../port.ts'
import type { Database } from '../database.ts'
import { createDeliveryAdds } from './add.ts'
import { createDeliveryAttempts, requeueDeliveries } from './attempts.ts'
import { createDeliveryReads, createDeliverySchedule } from './read.ts'

export function createDeliveries(database: Database): DeliveryStore {
  const adds = createDeliveryAdds(database)
  const attempts = createDeliveryAttempts(database)
  const reads = createDeliveryReads(database)
  const schedule = createDeliverySchedule(database)

  return {
    add: adds.add,
    claim: attempts.claim,
    recordAttempts: attempts.recordAttempts,
    release: attempts.release,
    find: reads.find,
    list: reads.list,
    requeue: (accountId, ids, at) => database.run(() => requeueDeliveries(database, accountId, { ids, at, by: null })),
    between: reads.between,
    dueWebhooks: schedule.dueWebhooks,
    nextDueAt: schedule.nextDueAt
  }
}
