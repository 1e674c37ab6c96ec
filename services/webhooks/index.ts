import type { Outbound } from '../../ports/outbound/port.ts'
import type { Queue } from '../../ports/queue/port.ts'
import type { Store } from '../../ports/store/port.ts'
import type { Audit } from '../audit.ts'
import { type Counters, createCounters } from '../counters.ts'
import type { StorageQuota } from '../storage.ts'
import { createSecretsKeyCheck } from '../secrets-key.ts'
import { createAttemptSender } from './attempt.ts'
import type { DeliveryTimings } from './delivery-run.ts'
import { createDelivery } from './delivery.ts'
import { createDeliveryLog } from './delivery-log.ts'
import { createEndpoints } from './endpoints.ts'
import { createEventTrimmer, type EventLogOptions } from './event-trimmer.ts'
import { createFanOut } from './fan-out.ts'
import { createDeliveryJobs, createSweep } from './jobs.ts'
import { createRecovery } from './recovery.ts'
import { createKeyRotation, createSecretCipher } from './secret-encryption.ts'
import { headerNames } from './signing.ts'

export type Webhooks = ReturnType<typeof createWebhooks>

export interface WebhookSettings {
  /** 32 bytes each. The first key encrypts signing secrets, all keys decrypt. */
  secretsKeys: readonly Buffer[]
  /** Part of the header names: `svc` gives `X-Svc-Event`. */
  brand: string
  /**
   * Divides delays between attempts, pauses and periods, but not the timeouts of an attempt, nor
   * anything that users set. 1 in production.
   */
  timeScale: number
  /** Counts the outcomes of attempts, and deleted events. Default: counters that nobody reads. */
  counters?: Counters
  /** Intervals of delivery runs. Tests shorten them. */
  timings?: Partial<DeliveryTimings>
  /** How the event logs of accounts are limited. */
  eventLog?: EventLogOptions
}

interface Dependencies {
  store: Store
  queue: Queue
  outbound: Outbound
  audit: Pick<Audit, 'record'>
  storage: Pick<StorageQuota, 'limits'>
}

/**
 * Sends events to other people's servers: webhooks, their deliveries, and the work of the jobs that
 * deliver. Every job may run twice.
 */
export function createWebhooks(
  { store, queue, outbound, audit, storage }: Dependencies,
  { secretsKeys, brand, timeScale, counters = createCounters(), timings, eventLog = {} }: WebhookSettings
) {
  const cipher = createSecretCipher(secretsKeys)
  const jobs = createDeliveryJobs(queue)
  const attemptSender = createAttemptSender({ outbound, names: headerNames(brand) })
  const endpoints = createEndpoints({ store, outbound, cipher, jobs, attemptSender })
  const log = createDeliveryLog({ store, jobs })
  const recovery = createRecovery({ store, queue, jobs })
  const onTrimmed: EventLogOptions['onTrimmed'] = (trimmed) => {
    counters.trimmedEvents += trimmed.events
    eventLog.onTrimmed?.(trimmed)
  }
  const trimmer = createEventTrimmer({ store, storage }, { ...eventLog, onTrimmed })
  const delivery = createDelivery({ store, audit, jobs, attemptSender, cipher, timeScale, counters, timings })
  return {
    create: endpoints.create,
    list: endpoints.list,
    read: endpoints.read,
    patch: endpoints.patch,
    remove: endpoints.remove,
    enable: endpoints.enable,
    rotateSecret: endpoints.rotateSecret,
    ping: endpoints.ping,
    isSigned: endpoints.isSigned,
    listDeliveries: log.listDeliveries,
    readDelivery: log.readDelivery,
    redeliver: log.redeliver,
    startRecovery: recovery.startRecovery,
    readRecovery: recovery.readRecovery,
    runRecovery: recovery.runRecovery,
    fanOut: createFanOut({ store, jobs, trimmer }).fanOut,
    deliver: delivery.deliver,
    sweep: createSweep({ store, queue, jobs, trimmer }).sweep,
    rotateKey: createKeyRotation({
      store,
      cipher,
      onRotated: createSecretsKeyCheck({ store, keys: secretsKeys }).accept
    }).rotateKey
  }
}
