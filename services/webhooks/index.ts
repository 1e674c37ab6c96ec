import type { Outbound } from '../../ports/outbound/port.ts'
import type { Queue } from '../../ports/queue/port.ts'
import type { Store } from '../../ports/store/port.ts'
import { createCounters, type Counters } from '../counters.ts'
import { createTrying } from './attempt.ts'
import { createDelivering } from './delivering.ts'
import { createDeliveryJobs } from './delivery-jobs.ts'
import { createDeliveryLog } from './delivery-log.ts'
import { createEndpoints } from './endpoints.ts'
import { createFanOut } from './fan-out.ts'
import { createPing } from './ping.ts'
import { createRecovering } from './recovering.ts'
import { headerNames } from './request-headers.ts'
import { createResealing } from './reseal.ts'
import { createSeal } from './seal.ts'
import { createSweeping } from './sweeping.ts'

export type Webhooks = ReturnType<typeof createWebhooks>

export interface WebhookSettings {
  /** 32 bytes each: the first encrypts the signing secrets, all of them decrypt. */
  secretsKeys: readonly Buffer[]
  /** Names the headers: `svc` makes `X-Svc-Event`. */
  brand: string
  /**
   * Divides waits between attempts, pauses and periods; not the timeouts of an attempt, nor what a
   * person set. 1 in production.
   */
  speed: number
  /** Where it is counted what becomes of attempts. Default: nobody looks. */
  counts?: Counters
}

/**
 * Events on their way to other people's servers: the webhooks, their deliveries, and the work that
 * delivers. Every piece of work may be done twice without harm.
 */
export function createWebhooks(
  { store, queue, outbound }: { store: Store; queue: Queue; outbound: Outbound },
  { secretsKeys, brand, speed, counts = createCounters() }: WebhookSettings
) {
  const seal = createSeal(secretsKeys)
  const jobs = createDeliveryJobs(queue)
  const trying = createTrying({ outbound, names: headerNames(brand) })
  return {
    ...createEndpoints({ store, outbound, seal, jobs }),
    ...createPing({ store, trying, seal }),
    ...createDeliveryLog({ store, jobs }),
    ...createRecovering({ store, queue, jobs }),
    ...createFanOut({ store, jobs }),
    ...createDelivering({ store, jobs, trying, seal, speed, counts }),
    ...createSweeping({ store, queue, jobs }),
    ...createResealing({ store, seal })
  }
}
