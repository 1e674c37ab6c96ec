import type { Outbound } from '../../ports/outbound/port.ts'
import type { Queue } from '../../ports/queue/port.ts'
import type { Store } from '../../ports/store/port.ts'
import { createCounters, type Counters } from '../counters.ts'
import { createAttemptSender } from './attempt.ts'
import { createDelivery } from './delivering.ts'
import { createDeliveryJobs } from './delivery-jobs.ts'
import { createDeliveryLog } from './delivery-log.ts'
import { createEndpoints } from './endpoints.ts'
import { createFanOut } from './fan-out.ts'
import { createPing } from './ping.ts'
import { createRecovery } from './recovering.ts'
import { headerNames } from './request-headers.ts'
import { createKeyRotation } from './reseal.ts'
import { createSecretCipher } from './seal.ts'
import { createSweep } from './sweeping.ts'

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
  timeScale: number
  /** Where it is counted what becomes of attempts. Default: nobody looks. */
  counts?: Counters
}

/**
 * Events on their way to other people's servers: the webhooks, their deliveries, and the work that
 * delivers. Every piece of work may be done twice without harm.
 */
export function createWebhooks(
  { store, queue, outbound }: { store: Store; queue: Queue; outbound: Outbound },
  { secretsKeys, brand, timeScale: speed, counts = createCounters() }: WebhookSettings
) {
  const seal = createSecretCipher(secretsKeys)
  const jobs = createDeliveryJobs(queue)
  const trying = createAttemptSender({ outbound, names: headerNames(brand) })
  return {
    ...createEndpoints({ store, outbound, seal, jobs }),
    ...createPing({ store, trying, seal }),
    ...createDeliveryLog({ store, jobs }),
    ...createRecovery({ store, queue, jobs }),
    ...createFanOut({ store, jobs }),
    ...createDelivery({ store, jobs, attemptSender: trying, cipher: seal, timeScale: speed, counts }),
    ...createSweep({ store, queue, jobs }),
    ...createKeyRotation({ store, seal })
  }
}
