import { Signal } from '../../lib/async.ts'
import type { Store, ClaimedDelivery } from '../../ports/store/port.ts'
import type { Counters } from '../counters.ts'
import { ATTEMPT_TIMEOUT_MS, type AttemptResult, type AttemptSender } from './attempt.ts'
import type { WebhookHealthTracker } from './known-webhook.ts'
import type { DecryptedSecrets } from './open-secrets.ts'
import type { Recorder } from './recorder.ts'
import { validSecrets } from './secrets.ts'
import { nextDeliveryState } from './settle.ts'

/** Most requests at once to a webhook. */
export const IN_FLIGHT = 10
/** Most deliveries that a run holds: waiting, in flight, or waiting to be written down. */
const HELD = 600
/** Of large ones a run holds fewer, so that not much more than this is in memory for a webhook. */
const HELD_BYTES = 2 * 1024 * 1024
/** When fewer than so many wait, more are taken. */
const LOW = 100
/** How often a run looks for what came meanwhile. */
const LOOK_EVERY_MS = 1000
/** How long a run goes on taking, before others get its place. */
const RUN_MS = 20_000
/**
 * How long what is in flight may go on when the process is to stop, before it is broken off and
 * left to whoever comes next.
 */
const STOP_GRACE_MS = 5000
/**
 * Beyond its attempts, the time for which a delivery is held: it may wait for its turn, and for
 * being written down.
 */
const LEASE_SLACK_MS = 10_000
const WRITE_MARGIN_MS = 2000

export interface RunParts {
  store: Store
  recorder: Recorder
  trying: AttemptSender
  secrets: DecryptedSecrets
  speed: number
  counts: Counters
}
export interface Run {
  /**
   * Delivers until nothing is due, the webhook is to wait, or its time is up; resolves to whether
   * anything was taken.
   */
  done: (signal: AbortSignal) => Promise<boolean>
  /** Says that there may be more to deliver. */
  poke: () => void
}

interface Held {
  taken: ClaimedDelivery
  leaseEndMs: number
}

/**
 * One run over what is due at a webhook. Of several runs of a webhook, in whichever process, only
 * one holds deliveries at a time: it takes its first one only
 * while nobody holds any, and takes more only while it holds some itself. So the 10 in flight are
 * 10 in all, and after a pause there is one probe.
 */
export function createDeliveryRun(
  { store, recorder, trying, secrets, speed, counts }: RunParts,
  webhookId: string,
  webhook: WebhookHealthTracker
): Run {
  const wakeUp = new Signal()
  const breaking = new AbortController()
  const ready: Held[] = []
  const released: string[] = []
  let unwritten = 0
  let inFlight = 0
  let bytesEach = 1
  let mayHaveMore = true
  let tookAny = false
  let stopping = false

  const attemptMs = (): number => ATTEMPT_TIMEOUT_MS * validSecrets(webhook.record()!).length
  const held = (): number => ready.length + inFlight + unwritten
  const mostHeld = (): number => Math.max(IN_FLIGHT, Math.min(HELD, Math.floor(HELD_BYTES / bytesEach)))
  /** Whether it is worth taking more: little waits, and many can be taken at once. */
  const isLow = (): boolean => mayHaveMore && ready.length < LOW && mostHeld() - held() >= mostHeld() / 3
  const standing = () => (stopping ? 'wait' : webhook.circuitState())

  async function takeSome(limit: number, inFlightLimit: number): Promise<number> {
    const nowMs = Date.now()
    const leaseEndMs = nowMs + attemptMs() + LEASE_SLACK_MS
    const terms = {
      now: new Date(nowMs).toISOString(),
      leaseUntil: new Date(leaseEndMs).toISOString(),
      limit,
      maxInFlight: inFlightLimit
    }
    const taken = await store.deliveries.claim(webhookId, terms)
    for (const one of taken) ready.push({ taken: one, leaseEndMs })
    if (taken.length > 0) {
      tookAny = true
      bytesEach = Math.max(...taken.map(({ head, tail }) => head.length + tail.length))
    }
    return taken.length
  }

  async function take(): Promise<void> {
    const stand = standing()
    if (stand === 'wait' || !isLow()) return
    if (held() === 0 && (await takeSome(1, 1)) === 0) {
      mayHaveMore = false
      return
    }
    if (stand === 'probe') return
    const room = mostHeld() - held()
    mayHaveMore = room <= 0 || (await takeSome(room, HELD)) === room
  }

  /** Sends what may be sent. What cannot be tried within its lease any more is given back. */
  function launch(): void {
    const stand = standing()
    const most = stand === 'go' ? IN_FLIGHT : stand === 'probe' ? 1 : 0
    while (inFlight < most && ready.length > 0) {
      const next = ready.shift()!
      if (next.leaseEndMs - Date.now() < attemptMs() + WRITE_MARGIN_MS) released.push(next.taken.delivery.id)
      else fly(next.taken, stand === 'probe') // Never rejects: what fails is reported by the signal.
    }
    if (stand === 'wait') for (const { taken } of ready.splice(0)) released.push(taken.delivery.id)
  }

  async function fly(taken: ClaimedDelivery, probe: boolean): Promise<void> {
    inFlight += 1
    try {
      land(taken, probe, await send(taken))
    } catch (error) {
      wakeUp.fail(error)
    } finally {
      inFlight -= 1
      launch()
      if (released.length > 0 || isLow()) wakeUp.notify()
    }
  }

  async function send({ delivery, head, tail }: ClaimedDelivery): Promise<AttemptResult> {
    const record = webhook.record()!
    const message = {
      eventId: delivery.eventId,
      deliveryId: delivery.id,
      type: delivery.event,
      body: Buffer.from(`${head}${delivery.sequence}${tail}`)
    }
    return await trying.send(message, {
      url: record.url,
      secrets: secrets.forAttempts(record),
      number: delivery.attempts + 1,
      signal: breaking.signal
    })
  }

  function land({ delivery }: ClaimedDelivery, probe: boolean, tried: AttemptResult): void {
    // An attempt that we broke off ourselves says nothing about the receiver.
    if (breaking.signal.aborted && !tried.outcome.delivered) {
      released.push(delivery.id)
      return
    }
    webhook.report({
      outcome: tried.outcome,
      atMs: Date.now(),
      event: { eventId: delivery.eventId, at: delivery.eventAt },
      secretId: tried.secretId,
      isProbe: probe
    })
    unwritten += 1
    const changes = nextDeliveryState(delivery, tried, speed)
    counts.deliveries[
      tried.outcome.delivered ? 'delivered' : changes.at(-1)!.nextAttemptAt === null ? 'dead' : 'retry'
    ] += 1
    recorder.record(changes, written)
  }

  /**
   * Something came to be written down, durably; or could not. While it waits for that, sending goes
   * on.
   */
  function written(error: unknown): void {
    unwritten -= 1
    if (error === null) wakeUp.notify()
    else wakeUp.fail(error)
  }

  async function giveBack(): Promise<void> {
    if (released.length > 0) await store.deliveries.release(webhookId, released.splice(0))
    await webhook.sync()
  }

  function stop(): void {
    stopping = true
    wakeUp.notify()
    setTimeout(() => {
      breaking.abort()
    }, STOP_GRACE_MS).unref()
  }

  async function deliver(): Promise<void> {
    const endMs = Date.now() + RUN_MS
    let lookMs = Date.now() + LOOK_EVERY_MS
    for (;;) {
      stopping ||= Date.now() >= endMs
      await take()
      launch()
      if (held() > 0 && released.length === 0) await wakeUp.wait(LOOK_EVERY_MS)
      await giveBack()
      if (held() === 0 && (standing() === 'wait' || !mayHaveMore)) return
      if (Date.now() < lookMs) continue
      mayHaveMore = true
      lookMs = Date.now() + LOOK_EVERY_MS
    }
  }

  return {
    poke() {
      mayHaveMore = true
      wakeUp.notify()
    },
    async done(signal) {
      signal.addEventListener('abort', stop, { once: true })
      if (signal.aborted) stop()
      await webhook.sync()
      try {
        await deliver()
      } finally {
        signal.removeEventListener('abort', stop)
        await webhook.sync({ always: true })
      }
      return tookAny
    }
  }
}
