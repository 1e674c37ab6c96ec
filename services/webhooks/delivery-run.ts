import { createYielder, Signal } from '../../lib/async.ts'
import { joinUtf8 } from '../../lib/utf8.ts'
import type { DeliveryAttempt } from '../../schemas/webhook.ts'
import type { Store } from '../../ports/store/port.ts'
import type { ClaimedDelivery } from '../../ports/store/port.ts'
import type { Counters } from '../counters.ts'
import { ATTEMPT_TIMEOUT_MS, type AttemptResult, type AttemptSender, responseLength } from './attempt.ts'
import {
  type Claim,
  type DeliveryContext,
  type DeliveryEvent,
  INITIAL_STATE,
  isFinished,
  isWaiting,
  MAX_HELD,
  MAX_HELD_BYTES,
  transition
} from './delivery-state.ts'
import type { WebhookHealthTracker } from './health-tracker.ts'
import type { AttemptRecorder, Saved } from './recorder.ts'
import { nextDeliveryState } from './retry-schedule.ts'
import { countValidSecrets, type DecryptedSecrets } from './secrets.ts'

/** Intervals of delivery runs, in milliseconds. */
export interface DeliveryTimings {
  /** How often a run checks for new deliveries. Default 1,000. */
  pollMs: number
  /** How long a run claims deliveries before other webhooks get its place. Default 5,000. */
  runMs: number
  /** How long requests in flight may continue at shutdown, before they are aborted. Default 5,000. */
  stopGraceMs: number
  /**
   * How long a delivery is claimed in addition to its attempts: it may wait for a slot, and for its
   * result to be saved. Default 10,000.
   */
  leaseMarginMs: number
}

export const DELIVERY_TIMINGS: DeliveryTimings = {
  pollMs: 1000,
  runMs: 5000,
  stopGraceMs: 5000,
  leaseMarginMs: 10_000
}

/** Signing and copying a longer body, in characters, waits for its turn among all computations. */
const LARGE_BODY = 16 * 1024

export interface DeliveryRunOptions {
  store: Store
  recorder: AttemptRecorder
  attemptSender: AttemptSender
  /** What is stored of an attempt. */
  toLogged: (attempt: DeliveryAttempt) => DeliveryAttempt
  secrets: DecryptedSecrets
  health: WebhookHealthTracker
  timeScale: number
  counters: Counters
  timings: DeliveryTimings
}

/**
 * Sends the due deliveries of one webhook. Of several runs of a webhook, in any process, only one
 * holds deliveries at a time. The decisions are in delivery-state.ts; this class carries them out.
 */
export class DeliveryRun {
  readonly #webhookId: string
  readonly #options: DeliveryRunOptions
  readonly #wakeUp = new Signal()
  readonly #abort = new AbortController()
  readonly #pause = createYielder()
  #state = INITIAL_STATE

  constructor(webhookId: string, options: DeliveryRunOptions) {
    this.#webhookId = webhookId
    this.#options = options
  }

  /** Tells the run that there may be more to deliver. */
  wake(): void {
    this.#apply({ type: 'more-arrived' })
    this.#wakeUp.notify()
  }

  /**
   * Delivers until nothing is due, the webhook is paused, or the time is up. Returns whether any
   * delivery was claimed.
   */
  async run(signal: AbortSignal): Promise<boolean> {
    const { health } = this.#options
    const stop = (): void => this.#stop()
    signal.addEventListener('abort', stop, { once: true })
    if (signal.aborted) stop()
    await health.sync()
    try {
      await this.#deliver()
    } finally {
      signal.removeEventListener('abort', stop)
      await health.sync({ always: true })
    }
    return this.#state.claimedAny
  }

  async #deliver(): Promise<void> {
    const { health, timings } = this.#options
    const { pollMs, runMs } = timings
    const endMs = Date.now() + runMs
    let pollAtMs = Date.now() + pollMs
    for (;;) {
      if (Date.now() >= endMs) this.#apply({ type: 'stop' })
      let claim = this.#apply({ type: 'turn-started' })
      while (claim !== undefined) claim = await this.#claim(claim)
      this.#apply({ type: 'claims-done' })
      if (isWaiting(this.#state)) await this.#wakeUp.wait(pollMs)
      await this.#release()
      await health.sync()
      if (isFinished(this.#state, this.#context())) return
      if (Date.now() < pollAtMs) continue
      this.#apply({ type: 'more-arrived' })
      pollAtMs = Date.now() + pollMs
    }
  }

  /** Applies an event and starts its effects. Returns the claim to make next, if any. */
  #apply(event: DeliveryEvent): Claim | undefined {
    const [state, effects] = transition(this.#state, event, this.#context())
    this.#state = state
    let claim: Claim | undefined
    for (const effect of effects) {
      if (effect.type === 'claim') claim = effect.claim
      else if (effect.type === 'wake') this.#wakeUp.notify()
      else this.#send(effect.claimed, effect.isProbe) // Never rejects.
    }
    return claim
  }

  #context(): DeliveryContext {
    const { health } = this.#options
    const record = health.record()
    const nowMs = Date.now()
    const attemptMs = record === null ? 0 : ATTEMPT_TIMEOUT_MS * countValidSecrets(record, nowMs)
    return { circuit: health.circuitState(), nowMs, attemptMs }
  }

  async #claim(claim: Claim): Promise<Claim | undefined> {
    const { store, timings } = this.#options
    // Many webhooks may become due at the same moment, and each claim reads up to a megabyte.
    await this.#pause()
    const { nowMs, attemptMs } = this.#context()
    const leaseEndMs = nowMs + attemptMs + timings.leaseMarginMs
    const claimed = await store.deliveries.claim(this.#webhookId, {
      now: new Date(nowMs).toISOString(),
      leaseUntil: new Date(leaseEndMs).toISOString(),
      limit: claim.limit,
      maxInFlight: MAX_HELD,
      maxBytes: MAX_HELD_BYTES,
      isFirst: claim.kind === 'first'
    })
    const deliveries = claimed.map((delivery) => ({ claimed: delivery, leaseEndMs }))
    return this.#apply({ type: 'claimed', claim, deliveries })
  }

  async #send(claimed: ClaimedDelivery, isProbe: boolean): Promise<void> {
    const { recorder } = this.#options
    const { id } = claimed.delivery
    let ended: DeliveryEvent = { type: 'attempt-ended', id, result: 'failed' }
    recorder.started()
    try {
      ended = this.#handleResult(claimed, isProbe, await this.#attempt(claimed))
    } catch (error) {
      this.#wakeUp.fail(error)
    }
    this.#apply(ended)
    recorder.ended()
  }

  /** Not asynchronous, because every delivery would take longer. */
  #attempt(claimed: ClaimedDelivery): Promise<AttemptResult> {
    const { head, tail } = claimed
    if (head.length + tail.length <= LARGE_BODY) return this.#post(claimed)
    return this.#pause().then(() => this.#post(claimed))
  }

  #post({ delivery, head, tail }: ClaimedDelivery): Promise<AttemptResult> {
    const { health, attemptSender, secrets } = this.#options
    const record = health.record()!
    const message = {
      eventId: delivery.eventId,
      deliveryId: delivery.id,
      type: delivery.event,
      body: joinUtf8(head, String(delivery.sequence), tail)
    }
    return attemptSender.send(message, {
      url: record.url,
      secrets: secrets.forAttempts(record),
      number: delivery.attempts + 1,
      signal: this.#abort.signal
    })
  }

  #handleResult({ delivery, row }: ClaimedDelivery, isProbe: boolean, result: AttemptResult): DeliveryEvent {
    const { health, recorder, counters, timeScale, toLogged } = this.#options
    const { outcome, secretId } = result
    const attempts = result.attempts.map(toLogged)
    // An attempt that this process aborted says nothing about the receiver.
    const { id } = delivery
    if (this.#abort.signal.aborted && !outcome.delivered) return { type: 'attempt-ended', id, result: 'aborted' }
    const event = { eventId: delivery.eventId, at: delivery.eventAt }
    health.report({ outcome, atMs: Date.now(), event, secretId, isProbe })
    const updates = nextDeliveryState(delivery, { ...result, attempts }, timeScale)
    for (const update of updates) update.row = row
    const isLast = updates.at(-1)!.nextAttemptAt === null
    counters.deliveries[outcome.delivered ? 'delivered' : isLast ? 'dead' : 'retry'] += 1
    let length = 0
    for (const attempt of attempts) length += responseLength(attempt)
    recorder.record(updates, length, this.#handleSaved)
    return { type: 'attempt-ended', id, result: 'saving', length }
  }

  /** Results are saved in batches; sending goes on meanwhile. */
  readonly #handleSaved = (error: unknown, { results, length }: Saved): void => {
    this.#apply({ type: 'saved', results, length })
    if (error !== null) this.#wakeUp.fail(error)
  }

  async #release(): Promise<void> {
    const { toRelease } = this.#state
    if (toRelease.length === 0) return
    this.#apply({ type: 'released' })
    await this.#options.store.deliveries.release(this.#webhookId, [...toRelease])
  }

  #stop(): void {
    this.#apply({ type: 'stop' })
    this.#wakeUp.notify()
    setTimeout(() => this.#abort.abort(), this.#options.timings.stopGraceMs).unref()
  }
}
